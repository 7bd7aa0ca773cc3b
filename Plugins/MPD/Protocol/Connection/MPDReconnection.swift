/// When to try again after a connection was lost.
package struct MPDReconnection: Sendable, Hashable {
    package static let first = Duration.milliseconds(250)
    package static let last = Duration.seconds(30)

    private var next = first

    package init() {}

    /// How long to wait before the coming attempt: 0.25 s, then doubling up to 30 s.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.last) }
        return next
    }

    /// A connection became ready.
    package mutating func succeeded() { next = Self.first }
}

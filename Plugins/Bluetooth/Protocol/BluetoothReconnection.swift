/// When a speaker that went away is called again: soon, and then more and more seldom.
public struct BluetoothReconnection: Sendable, Hashable {
    private static let first = Duration.seconds(2)
    private static let longest = Duration.seconds(60)
    private var pause = Self.first

    public init() {}

    /// How long to wait before the next attempt.
    public mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}

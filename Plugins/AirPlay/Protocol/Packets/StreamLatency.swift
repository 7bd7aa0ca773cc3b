/// The latency of a stream, chosen for the time from the source to the listener that a person asks for.
package struct StreamLatency: Sendable, Hashable {
    /// The usual seconds between sending and playing. Every receiver can buffer them, and they suffice to resend lost
    /// packets.
    package static let usual = 2.0
    /// The fewest seconds: twice the quarter of a second that receivers add by themselves (`min-latency:11025`).
    package static let least = 0.5
    /// The time that the sound server, the daemon's blocks and the silence before the first sample add, in seconds.
    private static let overhead = 0.2

    /// The least that can be asked for, in seconds from the source to the listener. A receiver may need more.
    package static let leastTotal = least + overhead

    /// The usual seconds from the source to the listener.
    package static let usualTotal = usual + overhead

    /// Between sending and playing, in seconds.
    package let seconds: Double

    /// - Parameter requested: From the source to the listener, in seconds; `nil` for the usual latency.
    package init(requested: Double? = nil) {
        guard let requested else {
            seconds = Self.usual
            return
        }
        seconds = min(Self.usual, max(Self.least, requested - Self.overhead))
    }
}

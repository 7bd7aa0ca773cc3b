/// The time from a program to the listener that a person asks for.
package struct RequestedLatency: Sendable, Hashable {
    /// The times that can be asked for, in seconds.
    package static let range = 0.02...10.0

    package let seconds: Double

    /// - Throws: ``HostError`` `invalid-argument` for a time outside of ``range``.
    package init(seconds: Double) throws(HostError) {
        guard Self.range.contains(seconds) else {
            throw HostError(.invalidArgument, "The latency isn't between 20 and 10000 milliseconds.")
        }
        self.seconds = seconds
    }
}

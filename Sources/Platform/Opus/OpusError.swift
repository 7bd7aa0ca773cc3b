/// An error of libopus.
public struct OpusError: Error, Sendable, Hashable {
    /// A sentence without its period.
    public let message: String

    init(_ message: String) { self.message = message }
}

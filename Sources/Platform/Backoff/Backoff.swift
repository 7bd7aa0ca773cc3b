/// The pauses between attempts. Each is twice the previous one, up to a limit.
public struct Backoff: Sendable, Hashable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration

    /// Creates a sequence of pauses.
    ///
    /// - Parameters:
    ///   - first: The first pause; longer than zero.
    ///   - longest: The pause that is repeated once it is reached.
    public init(from first: Duration, upTo longest: Duration) {
        self.first = min(first, longest)
        self.longest = longest
        pause = self.first
    }

    /// Returns the pause before the next attempt.
    public mutating func next() -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// Returns to the first pause, after a success.
    public mutating func reset() { pause = first }
}

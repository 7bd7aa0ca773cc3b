import Backoff

/// The schedule for the restoration of a lost connection.
///
/// Two parties restore the use of a device, never both at once:
///
/// - **The kit**, while the extension runs and the device is active. It retries after 0.25 s and doubles the pause each
///   time up to 5 s. It retries at once when the device appears at another address. After 60 s it gives up and reports
///   `connectionFailed`, which ends playback. A connection that is lost again within 5 s doesn't count: its schedule
///   continues, so that a device that accepts connections and drops them isn't tried forever.
/// - **The host**, after the extension or the host itself has exited. It activates the device again, requests adoption,
///   and repeats that for 60 s. Therefore ``PlayerProtocol/open(_:secret:)`` makes one attempt, and the kit reports its
///   failure at once.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The pause before the first attempt.
    public var firstPause = Duration.milliseconds(250)
    /// The longest pause between two attempts.
    public var longestPause = Duration.seconds(5)
    /// The time from the loss to the last attempt.
    public var limit: Duration

    /// Creates the default schedule, with another limit if one is given.
    public init(limit: Duration = .seconds(60)) { self.limit = limit }

    /// The pauses of one loss, in order.
    public struct Schedule: Sendable, Hashable {
        private let limit: Duration
        private var backoff: Backoff

        /// Creates the schedule of a loss that has just happened.
        public init(_ policy: ReconnectPolicy) {
            limit = policy.limit
            backoff = Backoff(from: policy.firstPause, upTo: policy.longestPause)
        }

        /// Returns the pause before the next attempt; `nil` to give up.
        ///
        /// - Parameter elapsed: The time since the loss.
        public mutating func next(elapsed: Duration) -> Duration? {
            elapsed < limit ? min(backoff.next(), limit - elapsed) : nil
        }
    }
}

/// When a lost connection is made again, and when that is given up.
///
/// Two parties take a device up again, never both at once:
///
/// - **The kit**, while the extension runs and the device is active. It tries after 0.25 s, then after twice as long each
///   time, at most every 5 s, and at once when the device is seen at another address. After 60 s it gives up and reports
///   `connectionFailed`, which ends what plays.
/// - **The host**, after the extension or the host itself has died. It activates the device anew and asks for adoption, and
///   repeats that for 60 s. Therefore ``PlayerProtocol/open(_:secret:)`` makes one attempt, and the kit reports its failure
///   at once.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The pause before the first attempt.
    public var firstPause = Duration.milliseconds(250)
    /// The longest pause between two attempts.
    public var longestPause = Duration.seconds(5)
    /// From the loss to the last attempt.
    public var limit = Duration.seconds(60)

    public init() {}

    /// The pauses of one loss, in order.
    struct Schedule {
        private let policy: ReconnectPolicy
        private var pause: Duration

        init(_ policy: ReconnectPolicy) {
            self.policy = policy
            pause = policy.firstPause
        }

        /// - Parameter elapsed: Since the loss.
        /// - Returns: The pause before the next attempt; `nil` when it is time to give up.
        mutating func next(elapsed: Duration) -> Duration? {
            guard elapsed < policy.limit else { return nil }
            defer { pause = min(pause * 2, policy.longestPause) }
            return min(pause, policy.limit - elapsed)
        }
    }
}

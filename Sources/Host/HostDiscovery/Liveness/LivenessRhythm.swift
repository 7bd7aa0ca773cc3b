/// The frequency of tries, and the number of failures after which a subject counts as lost.
///
/// The time from the loss to the verdict is at most `interval`, plus `failures - 1` times `spacing`, plus `limit`: 13 s
/// for a listed device and 4 s for one in use.
struct LivenessRhythm: Sendable, Hashable {
    /// The time from an answer to the next try.
    var interval: Duration
    /// The time from an unanswered try to the next, while the earlier ones continue.
    var spacing: Duration
    /// The time limit of a try. It exceeds a second, so that each sends its packet twice.
    var limit: Duration
    /// Tries in silence, without an answer between them.
    var failures: Int
    /// Since the first of them.
    var patience: Duration

    static let listed = LivenessRhythm(
        interval: .seconds(8), spacing: .seconds(1), limit: .seconds(3), failures: 3, patience: .seconds(4))
    static let inUse = LivenessRhythm(
        interval: .milliseconds(1_200), spacing: .milliseconds(500), limit: .milliseconds(1_800), failures: 3,
        patience: .milliseconds(2_500))

    /// The limits for refused tries, because a host that refuses is running and may be starting a service.
    static let refusals = (failures: 5, patience: Duration.seconds(10))

    /// The pauses between tries of a lost subject, at first and after a while.
    static let goneSpacing = (early: Duration.seconds(1), late: Duration.seconds(3), after: Duration.seconds(300))
    /// The number of tries of a lost subject between two searches for another address.
    static let triesPerLookup = 15
}

/// How often something is tried, and how many tries have to fail before it counts as lost.
///
/// From the moment a device is gone to the verdict it takes at most `interval`, then `failures - 1` times `spacing`, then
/// `limit`: 13 s for a listed device and 4 s for one in use.
struct LivenessRhythm: Sendable, Hashable {
    /// From an answer to the next try.
    var interval: Duration
    /// From a try that is not answered yet to the next, while the earlier ones go on.
    var spacing: Duration
    /// How long a try may take. More than a second, so that each sends its packet twice.
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

    /// What refuses has a host that answers: it may be starting anew.
    static let refusals = (failures: 5, patience: Duration.seconds(10))

    /// Between tries of what is gone, and after a while.
    static let goneSpacing = (early: Duration.seconds(1), late: Duration.seconds(3), after: Duration.seconds(300))
    /// Tries of what is gone from one search for another address to the next.
    static let triesPerLookup = 15
}

/// The time as supervision sees it, so that a test can advance it.
package struct SupervisionClock: Sendable {
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Throws only when cancelled.
    package var sleep: @Sendable (_ until: ContinuousClock.Instant) async throws -> Void

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (_ until: ContinuousClock.Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let continuous = SupervisionClock(
        now: { .now }, sleep: { try await Task.sleep(until: $0, clock: .continuous) })
}

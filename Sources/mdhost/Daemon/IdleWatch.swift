import Foundation

/// Reports when the daemon has been idle for a while.
actor IdleWatch {
    /// The idle time after which it does.
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let isIdle: @Sendable () async -> Bool
    private let leave: @Sendable () -> Void
    private var timer: Task<Void, Never>?

    /// Hints at once, and after each activity, at most once a second.
    ///
    /// A hint begins a wait, which takes memory until its time although the next hint cancels it.
    static func follow(
        _ activity: AsyncStream<Void>, clock: any Clock<Duration> = ContinuousClock(),
        _ hint: @Sendable () async -> Void
    ) async {
        await hint()
        for await _ in activity {
            await hint()
            try? await clock.sleep(for: .seconds(1))
        }
    }

    init(
        patience: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
        isIdle: @escaping @Sendable () async -> Bool, leave: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
        self.clock = clock
        self.isIdle = isIdle
        self.leave = leave
    }

    /// Restarts the idle time after a change that may have begun or ended the daemon's work.
    func hint() {
        timer?.cancel()
        timer = Task { [patience, clock, isIdle, leave] in
            guard (try? await clock.sleep(for: patience)) != nil, await isIdle(), !Task.isCancelled else { return }
            leave()
        }
    }
}

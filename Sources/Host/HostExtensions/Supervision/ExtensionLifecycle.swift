import Backoff

/// Decides when to launch, stop and restart an extension, and when to give up. It is a value without I/O that receives
/// events and returns actions.
///
/// An extension is launched on the first need and stopped ``Policy/lingering`` after the last. While it is needed, a
/// crash is followed by a restart with doubling delays. Too many crashes within a minute quarantine it until the user
/// resets it. Every launch has its own generation, and events of earlier ones are ignored.
package struct ExtensionLifecycle: Sendable, Hashable {
    package typealias Instant = ContinuousClock.Instant

    package enum State: Sendable, Hashable {
        case idle
        case starting
        case running(since: Instant)
        /// The process was asked to end, and is still running.
        case stopping
        case crashed(retryAt: Instant)
        /// The extension crashed too often. Use ``reset(at:)`` to leave this state.
        case quarantined
        /// Could not be launched, or is not an extension this host can run; tried again at the next new need.
        case loadFailed
        case disabled
    }

    package enum Action: Sendable, Hashable {
        case launch(generation: Int)
        case terminate(generation: Int)
    }

    package struct Policy: Sendable, Hashable {
        package var lingering: Duration = .seconds(30)
        package var firstDelay: Duration = .milliseconds(250)
        package var longestDelay: Duration = .seconds(30)
        /// A run at least this long forgets the crashes before it.
        package var stability: Duration = .seconds(60)
        package var shortestCleanRun: Duration = .seconds(1)
        package var quarantineWindow: Duration = .seconds(60)
        package var quarantineCount = 5

        package init() {}
    }

    package private(set) var state = State.idle
    /// The number of the latest launch; 0 before the first.
    package private(set) var generation = 0
    /// Launches that followed a crash.
    package private(set) var restarts = 0
    /// The reasons for which the extension has to run, with the number of times each was added.
    package private(set) var needs: [String: Int] = [:]

    private let policy: Policy
    private var backoff: Backoff
    private var recentCrashes: [Instant] = []
    private var stopAt: Instant?
    /// A Boolean value that indicates whether the process of ``generation`` was asked to end and is still running.
    private var isEnding = false

    /// - Parameter generation: The last generation of the same extension, if any, because no number is used twice.
    package init(policy: Policy = Policy(), isEnabled: Bool = true, after generation: Int = 0) {
        self.policy = policy
        self.generation = generation
        backoff = Backoff(from: policy.firstDelay, upTo: policy.longestDelay)
        state = isEnabled ? .idle : .disabled
    }

    /// A Boolean value that indicates whether a process is starting or ending.
    package var isChanging: Bool { isEnding || state == .starting }

    /// The time at which ``tick(at:)`` has something to do; `nil` if nothing is due.
    package var deadline: Instant? {
        if case .crashed(let retryAt) = state { return retryAt }
        return stopAt
    }
}

extension ExtensionLifecycle {
    /// Adds a need, which lasts until ``remove(_:at:)`` is called for the same reason as often.
    package mutating func add(_ reason: String, at now: Instant) -> Action? {
        needs[reason, default: 0] += 1
        stopAt = nil
        switch state {
        case .idle, .loadFailed: return launch()
        default: return nil
        }
    }

    package mutating func remove(_ reason: String, at now: Instant) {
        guard let count = needs[reason] else { return }
        needs[reason] = count > 1 ? count - 1 : nil
        guard needs.isEmpty else { return }
        switch state {
        case .starting, .running: stopAt = now + policy.lingering
        case .crashed: state = .idle
        default: break
        }
    }

    /// Records that the handshake of `generation` is complete.
    package mutating func started(generation: Int, at now: Instant) {
        guard generation == self.generation, state == .starting else { return }
        state = .running(since: now)
    }

    /// `generation` could not be launched, or said something that makes a further try useless.
    package mutating func loadFailed(generation: Int) {
        guard generation == self.generation else { return }
        stopAt = nil
        isEnding = false
        if state != .disabled { state = .loadFailed }
    }

    /// Records the end of the process of `generation`.
    ///
    /// - Parameter isClean: Whether it exited with status 0, as some programs do when they have nothing to do. That
    ///   isn't a crash: if needed, the extension is launched again at once, unless it ran for less than
    ///   ``Policy/shortestCleanRun``.
    package mutating func ended(generation: Int, at now: Instant, isClean: Bool = false) -> Action? {
        guard generation == self.generation else { return nil }
        stopAt = nil
        isEnding = false
        switch state {
        case .stopping:
            state = .idle
            return needs.isEmpty ? nil : launch()
        case .running where isClean && needs.isEmpty: state = .idle
        case .running(let since) where isClean && now - since >= policy.shortestCleanRun: return launch()
        case .running(let since):
            if now - since >= policy.stability {
                backoff.reset()
                recentCrashes = []
            }
            crashed(at: now)
        case .starting:
            crashed(at: now)
        default: break
        }
        return nil
    }

    /// Performs what is due at `now`.
    package mutating func tick(at now: Instant) -> Action? {
        if case .crashed(let retryAt) = state, now >= retryAt {
            restarts += 1
            return launch()
        }
        guard let stopAt, now >= stopAt else { return nil }
        self.stopAt = nil
        return terminate()
    }

    /// Reloads the extension at the user's request: forgets crashes, ends the process, and launches the extension if
    /// needed.
    package mutating func reset(at now: Instant) -> Action? {
        backoff.reset()
        recentCrashes = []
        switch state {
        case .starting, .running: return terminate()
        case .stopping, .disabled: return nil
        case .idle, .crashed, .quarantined, .loadFailed:
            state = .idle
            return needs.isEmpty ? nil : launch()
        }
    }

    /// Enables the extension and launches it if needed, or disables it and ends its process.
    package mutating func setEnabled(_ isEnabled: Bool) -> Action? {
        if isEnabled {
            guard state == .disabled else { return nil }
            state = isEnding ? .stopping : .idle
            return isEnding || needs.isEmpty ? nil : launch()
        }
        let action = terminate()
        state = .disabled
        stopAt = nil
        return action
    }

    private mutating func launch() -> Action {
        generation += 1
        state = .starting
        return .launch(generation: generation)
    }

    private mutating func terminate() -> Action? {
        switch state {
        case .starting, .running:
            state = .stopping
            stopAt = nil
            isEnding = true
            return .terminate(generation: generation)
        default: return nil
        }
    }

    private mutating func crashed(at now: Instant) {
        let window = policy.quarantineWindow
        let delay = backoff.next()
        recentCrashes = recentCrashes.filter { now - $0 < window } + [now]
        if recentCrashes.count >= policy.quarantineCount {
            state = .quarantined
        } else if needs.isEmpty {
            state = .idle
        } else {
            state = .crashed(retryAt: now + delay)
        }
    }
}

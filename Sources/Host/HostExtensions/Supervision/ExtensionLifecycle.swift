/// When an extension is launched, stopped, restarted and given up on; a value without I/O that is told what happened
/// and answers with what to do.
///
/// Launch on the first need; stop ``Policy/lingering`` after the last; a crash is retried with doubling back-off while
/// it is needed; too many crashes within a minute quarantine it until a person resets it. Every launch has its own
/// generation, and news of an older one is ignored.
package struct ExtensionLifecycle: Sendable, Hashable {
    package typealias Instant = ContinuousClock.Instant

    package enum State: Sendable, Hashable {
        case idle
        case starting
        case running(since: Instant)
        /// Asked to end, not gone yet.
        case stopping
        case crashed(retryAt: Instant)
        /// Crashed too often; ``reset(at:)`` is the way out.
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
    /// Of the newest launch; 0 before the first.
    package private(set) var generation = 0
    /// Launches that followed a crash.
    package private(set) var restarts = 0
    /// Why it has to run, and how often each reason was given.
    package private(set) var needs: [String: Int] = [:]

    private let policy: Policy
    private var delay: Duration
    private var recentCrashes: [Instant] = []
    private var stopAt: Instant?
    /// Whether the process of ``generation`` was asked to end and is not gone yet.
    private var isEnding = false

    /// - Parameter generation: Of the last launch of the same extension, where there was one: none is used twice.
    package init(policy: Policy = Policy(), isEnabled: Bool = true, after generation: Int = 0) {
        self.policy = policy
        self.generation = generation
        delay = policy.firstDelay
        state = isEnabled ? .idle : .disabled
    }

    /// Whether a process is about to come or to go.
    package var isChanging: Bool { isEnding || state == .starting }

    /// When ``tick(at:)`` has something to do; `nil` while nothing is due.
    package var deadline: Instant? {
        if case .crashed(let retryAt) = state { return retryAt }
        return stopAt
    }
}

extension ExtensionLifecycle {
    /// Something needs the extension, until ``remove(_:at:)`` was told the same reason as often.
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

    /// The handshake of `generation` is done.
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

    /// The process of `generation` is gone, for whatever reason.
    ///
    /// - Parameter isClean: Whether it ended by itself with status 0, as some do when they have nothing to do. That is no crash:
    ///   one that is needed is launched again at once, unless it ran for less than ``Policy/shortestCleanRun``.
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
                delay = policy.firstDelay
                recentCrashes = []
            }
            crashed(at: now)
        case .starting:
            crashed(at: now)
        default: break
        }
        return nil
    }

    /// Does what is due at `now`.
    package mutating func tick(at now: Instant) -> Action? {
        if case .crashed(let retryAt) = state, now >= retryAt {
            restarts += 1
            return launch()
        }
        guard let stopAt, now >= stopAt else { return nil }
        self.stopAt = nil
        return terminate()
    }

    /// A person's wish to have it loaded afresh: forgets the crashes, ends what runs and launches what is needed.
    package mutating func reset(at now: Instant) -> Action? {
        delay = policy.firstDelay
        recentCrashes = []
        switch state {
        case .starting, .running: return terminate()
        case .stopping, .disabled: return nil
        case .idle, .crashed, .quarantined, .loadFailed:
            state = .idle
            return needs.isEmpty ? nil : launch()
        }
    }

    /// Switches it off (what runs is ended) or on (what is needed is launched).
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
        recentCrashes = recentCrashes.filter { now - $0 < window } + [now]
        if recentCrashes.count >= policy.quarantineCount {
            state = .quarantined
        } else if needs.isEmpty {
            state = .idle
        } else {
            state = .crashed(retryAt: now + delay)
        }
        delay = min(delay * 2, policy.longestDelay)
    }
}

import Testing

@testable import HostExtensions

@Suite struct ExtensionLifecycleTests {
    private let start = ContinuousClock.Instant.now
    private var lifecycle = ExtensionLifecycle()

    private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// Launches for a need and reports the process running.
    private mutating func run(at seconds: Double = 0) {
        _ = lifecycle.add("lease", at: time(seconds))
        lifecycle.started(generation: lifecycle.generation, at: time(seconds))
    }

    @Test mutating func theFirstNeedLaunches() {
        #expect(lifecycle.add("a", at: start) == .launch(generation: 1))
        #expect(lifecycle.add("b", at: start) == nil)
        #expect(lifecycle.state == .starting)
    }

    @Test mutating func stopsHalfAMinuteAfterTheLastNeed() {
        run()
        _ = lifecycle.add("session", at: time(1))
        lifecycle.remove("lease", at: time(2))
        #expect(lifecycle.deadline == nil)
        lifecycle.remove("session", at: time(10))
        #expect(lifecycle.deadline == time(40))
        #expect(lifecycle.tick(at: time(39.9)) == nil)
        #expect(lifecycle.tick(at: time(40)) == .terminate(generation: 1))
        #expect(lifecycle.ended(generation: 1, at: time(40.1)) == nil)
        #expect(lifecycle.state == .idle)
    }

    @Test mutating func reasonsAreCounted() {
        run()
        _ = lifecycle.add("lease", at: start)
        lifecycle.remove("lease", at: start)
        #expect(lifecycle.deadline == nil)
        lifecycle.remove("unknown", at: start)
        lifecycle.remove("lease", at: start)
        #expect(lifecycle.deadline == time(30))
    }

    @Test mutating func aNewNeedCancelsTheStop() {
        run()
        lifecycle.remove("lease", at: time(0))
        #expect(lifecycle.add("lease", at: time(20)) == nil)
        #expect(lifecycle.tick(at: time(60)) == nil)
        #expect(lifecycle.state == .running(since: start))
    }

    @Test mutating func aNeedDuringTheStopLaunchesAgain() {
        run()
        lifecycle.remove("lease", at: time(0))
        _ = lifecycle.tick(at: time(30))
        #expect(lifecycle.add("lease", at: time(30.5)) == nil)
        #expect(lifecycle.ended(generation: 1, at: time(31)) == .launch(generation: 2))
    }

    @Test mutating func crashesAreRetriedWithDoublingDelay() {
        run()
        var now = 0.0
        // Far enough apart that no minute holds five.
        for delay in [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30] {
            now += 20
            #expect(lifecycle.ended(generation: lifecycle.generation, at: time(now)) == nil)
            #expect(lifecycle.state == .crashed(retryAt: time(now + delay)))
            #expect(lifecycle.tick(at: time(now + delay - 0.01)) == nil)
            now += delay
            #expect(lifecycle.tick(at: time(now)) == .launch(generation: lifecycle.generation))
            lifecycle.started(generation: lifecycle.generation, at: time(now))
        }
        #expect(lifecycle.restarts == 9)
    }

    @Test mutating func aStableRunForgetsTheCrashes() {
        run()
        for second in [1.0, 2, 3] {
            _ = lifecycle.ended(generation: lifecycle.generation, at: time(second))
            _ = lifecycle.tick(at: time(second + 0.9))
            _ = lifecycle.tick(at: time(second + 1))
            lifecycle.started(generation: lifecycle.generation, at: time(second + 1))
        }
        _ = lifecycle.ended(generation: lifecycle.generation, at: time(4 + 60))
        #expect(lifecycle.state == .crashed(retryAt: time(64.25)))
    }

    @Test mutating func fiveCrashesInAMinuteQuarantine() {
        run()
        var now = 0.0
        for _ in 0..<4 {
            _ = lifecycle.ended(generation: lifecycle.generation, at: time(now))
            guard case .crashed(let retryAt) = lifecycle.state else {
                Issue.record("gave up early: \(lifecycle.state)")
                return
            }
            now = (retryAt - start) / .seconds(1)
            _ = lifecycle.tick(at: retryAt)
            lifecycle.started(generation: lifecycle.generation, at: retryAt)
        }
        #expect(lifecycle.ended(generation: lifecycle.generation, at: time(now)) == nil)
        #expect(lifecycle.state == .quarantined)
        #expect(lifecycle.deadline == nil)
        #expect(lifecycle.add("another", at: time(now + 100)) == nil)
        #expect(lifecycle.reset(at: time(now + 100)) == .launch(generation: 6))
    }

    @Test mutating func aCrashBeforeTheGreetingCountsToo() {
        _ = lifecycle.add("lease", at: start)
        #expect(lifecycle.ended(generation: 1, at: time(5)) == nil)
        #expect(lifecycle.state == .crashed(retryAt: time(5.25)))
    }

    @Test mutating func aCrashNobodyCaresAboutIsNotRetried() {
        run()
        lifecycle.remove("lease", at: time(1))
        _ = lifecycle.ended(generation: 1, at: time(2))
        #expect(lifecycle.state == .idle)
        #expect(lifecycle.deadline == nil)
        run(at: 3)
        _ = lifecycle.ended(generation: 2, at: time(4))
        lifecycle.remove("lease", at: time(4.1))
        #expect(lifecycle.state == .idle)
    }

    @Test mutating func newsOfAnOlderGenerationIsIgnored() {
        run()
        _ = lifecycle.ended(generation: 1, at: time(1))
        _ = lifecycle.tick(at: time(2))
        #expect(lifecycle.generation == 2)
        lifecycle.started(generation: 1, at: time(2))
        #expect(lifecycle.state == .starting)
        #expect(lifecycle.ended(generation: 1, at: time(2)) == nil)
        lifecycle.loadFailed(generation: 1)
        #expect(lifecycle.state == .starting)
    }

    @Test mutating func aFailedLoadIsTriedAgainOnlyForANewNeed() {
        _ = lifecycle.add("a", at: start)
        lifecycle.loadFailed(generation: 1)
        #expect(lifecycle.state == .loadFailed)
        #expect(lifecycle.tick(at: time(1000)) == nil)
        #expect(lifecycle.add("b", at: time(1001)) == .launch(generation: 2))
    }

    @Test mutating func aResetReplacesWhatRuns() {
        run()
        #expect(lifecycle.reset(at: time(1)) == .terminate(generation: 1))
        #expect(lifecycle.ended(generation: 1, at: time(2)) == .launch(generation: 2))
        #expect(lifecycle.restarts == 0)
    }

    @Test mutating func switchingOffEndsItAndSwitchingOnLaunchesWhatIsNeeded() {
        run()
        #expect(lifecycle.setEnabled(false) == .terminate(generation: 1))
        #expect(lifecycle.ended(generation: 1, at: time(1)) == nil)
        #expect(lifecycle.state == .disabled)
        #expect(lifecycle.add("other", at: time(2)) == nil)
        #expect(lifecycle.reset(at: time(2)) == nil)
        #expect(lifecycle.setEnabled(true) == .launch(generation: 2))
    }

    @Test mutating func switchingOnAgainWaitsForTheProcessThatIsStillEnding() {
        run()
        #expect(lifecycle.setEnabled(false) == .terminate(generation: 1))
        #expect(lifecycle.isChanging)
        #expect(lifecycle.setEnabled(true) == nil)
        #expect(lifecycle.ended(generation: 1, at: time(1)) == .launch(generation: 2))
        lifecycle.started(generation: 2, at: time(1))
        #expect(!lifecycle.isChanging)
    }

    @Test mutating func generationsGoOnWhereAnEarlierInstallationEnded() {
        lifecycle = ExtensionLifecycle(after: 7)
        #expect(lifecycle.add("lease", at: start) == .launch(generation: 8))
        #expect(lifecycle.ended(generation: 7, at: time(1)) == nil)
        #expect(lifecycle.state == .starting)
    }

    @Test("one that ends by itself with status 0 has not crashed")
    func cleanEnd() {
        var lifecycle = ExtensionLifecycle()
        #expect(lifecycle.add("discovery", at: time(0)) == .launch(generation: 1))
        lifecycle.started(generation: 1, at: time(0))
        lifecycle.remove("discovery", at: time(5))
        // Before the host would have ended it.
        #expect(lifecycle.ended(generation: 1, at: time(7), isClean: true) == nil)
        #expect(lifecycle.state == .idle && lifecycle.deadline == nil && lifecycle.restarts == 0)
        // The next pick launches anew; while that is open, one that is gone is launched again at once, however often.
        var now = 10.0
        #expect(lifecycle.add("discovery", at: time(now)) == .launch(generation: 2))
        for generation in 2...20 {
            lifecycle.started(generation: generation, at: time(now))
            now += 2
            let next = lifecycle.ended(generation: generation, at: time(now), isClean: true)
            #expect(next == .launch(generation: generation + 1))
        }
        #expect(lifecycle.restarts == 0)
        // One that never stays is a crash all the same.
        lifecycle.started(generation: 21, at: time(now))
        #expect(lifecycle.ended(generation: 21, at: time(now + 0.1), isClean: true) == nil)
        guard case .crashed = lifecycle.state else { return #expect(Bool(false), "\(lifecycle.state)") }
    }
}

import HostInterface
import Testing

@testable import HostCore

@Suite struct RecoveryTests {
    private let cause = HostError(.extensionCrashed, "It was killed.")
    private let away = HostError(.unreachable, "Nobody answers.")

    private func steps(plays: Bool = true, _ events: Recovery.Event...) -> [Recovery.Step] {
        var recovery = Recovery(plays: plays, cause: cause)
        return [recovery.first] + events.map { recovery.next(after: $0) }
    }

    @Test func waitsActivatesAndAdopts() {
        #expect(
            steps(.extensionRuns, .activated, .adopted) == [
                .awaitExtension, .activate(after: .zero, isSeeking: false), .adopt, .finish(.takenUp),
            ])
    }

    @Test func aRouteWithoutPlaybackIsOnlyOpened() {
        #expect(steps(plays: false, .extensionRuns, .activated).last == .finish(.takenUp))
    }

    @Test func whatIsOverEndedAndDidNotFail() {
        #expect(steps(.extensionRuns, .activated, .isOver).last == .finish(.ended))
    }

    @Test func anotherCrashBeginsAgainAtAnyStep() {
        #expect(steps(.extensionDied(cause)).last == .awaitExtension)
        #expect(steps(.extensionRuns, .notActivated(cause)).last == .awaitExtension)
        #expect(steps(.extensionRuns, .activated, .notAdopted(cause)).last == .awaitExtension)
    }

    @Test func anAbsentDeviceIsLookedForWithGrowingPauses() {
        let pauses = steps(
            .extensionRuns, .notActivated(away), .notActivated(away), .notActivated(away), .notActivated(away),
            .notActivated(away), .notActivated(away)
        ).compactMap { step -> Duration? in
            guard case .activate(let pause, let isSeeking) = step else { return nil }
            #expect(isSeeking == (pause > .zero))
            return pause
        }
        #expect(pauses == [.zero, .seconds(0.5), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        #expect(
            steps(.extensionRuns, .activated, .notAdopted(away)).last
                == .activate(after: .seconds(0.5), isSeeking: true))
    }

    @Test(arguments: [HostError.Code.authorizationRequired, .authorizationFailed, .deviceRefused, .noSuchDevice])
    func aRefusalIsFinal(_ code: HostError.Code) {
        let error = HostError(code, "No.")
        #expect(steps(.extensionRuns, .notActivated(error)).last == .finish(.failed(error)))
    }

    @Test func anExtensionThatCannotAdoptTellsBothReasons() {
        let last = steps(.extensionRuns, .activated, .notAdopted(HostError(.notSupported, "It cannot."))).last
        guard case .finish(.failed(let error)) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(error.code == .extensionCrashed)
        #expect(error.message == "It was killed. What played cannot be taken up again: It cannot.")
    }

    @Test func anExtensionThatWillNotRunIsFinal() {
        let error = HostError(.extensionCrashed, "It is quarantined.")
        #expect(steps(.extensionUnusable(error)).last == .finish(.failed(error)))
    }

    @Test func tooLateItFailsWithTheLastReason() {
        var recovery = Recovery(plays: true, cause: cause)
        #expect(recovery.overdue == .failed(cause))
        _ = recovery.next(after: .extensionRuns)
        _ = recovery.next(after: .notActivated(away))
        #expect(recovery.overdue == .failed(away))
    }
}

@Suite struct WishQueueTests {
    @Test func onlyTheLatestOfAKindIsToldInOrder() {
        var queue = WishQueue()
        queue.add(.playback(PlaybackCommand(.setPlaying, flag: false)), ticket: 1)
        queue.add(.level(0.2), ticket: 2)
        queue.add(.playback(PlaybackCommand(.seek, number: 10)), ticket: 3)
        queue.add(.playback(PlaybackCommand(.setPlaying, flag: true)), ticket: 4)
        queue.add(.level(0.3), ticket: 5)
        #expect(
            queue.entries.map(\.wish) == [
                .playback(PlaybackCommand(.seek, number: 10)), .playback(PlaybackCommand(.setPlaying, flag: true)),
                .level(0.3),
            ])
        #expect(queue.entries.map(\.tickets) == [[3], [1, 4], [2, 5]])
    }

    @Test func whatNobodyWaitsForIsNotTold() {
        var queue = WishQueue()
        queue.add(.level(0.2), ticket: 1)
        queue.add(.level(0.3), ticket: 2)
        queue.remove(ticket: 1)
        #expect(queue.entries.map(\.tickets) == [[2]])
        queue.remove(ticket: 2)
        #expect(queue.entries.isEmpty)
    }

    @Test func whatConcernsPlaybackGoesWherePlaybackGoes() {
        var queue = WishQueue()
        queue.add(.playback(PlaybackCommand(.setPlaying, flag: false)), ticket: 1)
        queue.add(.level(0.2), ticket: 2)
        queue.add(.playback(PlaybackCommand(.setPlaying, flag: true)), ticket: 3)
        var heir = WishQueue()
        heir.add(.playback(PlaybackCommand(.setPlaying, flag: false)), ticket: 4)
        heir.add(queue.takePlayback())
        #expect(queue.entries.map(\.wish) == [.level(0.2)])
        #expect(heir.entries.map(\.wish) == [.playback(PlaybackCommand(.setPlaying, flag: true))])
        #expect(heir.entries.map(\.tickets) == [[4, 1, 3]])
    }

    @Test func aGestureIsNotRepeated() {
        #expect(!WishQueue.Wish.playback(PlaybackCommand(.setScanSpeed, number: 4)).canBeRepeated)
        #expect(!WishQueue.Wish.playback(PlaybackCommand(.setMode, identifier: "scanning")).canBeRepeated)
        #expect(WishQueue.Wish.playback(PlaybackCommand(.seek, number: 4)).canBeRepeated)
    }
}

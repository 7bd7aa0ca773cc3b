import Testing

@testable import ReferenceProtocol
@testable import ReferenceReceiver

/// A receiver's handling of `start` (PROTOCOL.md, Playing together).
struct CommonStartTests {
    private static let media = ReferenceMedia(url: "http://h/film.mp4", duration: 60, position: 5, isHeld: true)

    private func machine() -> ReceiverMachine {
        var settings = ReceiverSettings(name: "TV", memoryFile: "")
        settings.authorization = .none
        var machine = ReceiverMachine(settings: settings, id: "id", tokens: [])
        _ = machine.connected(1)
        _ = machine.received(.init(id: 1, command: .hello(version: 1, client: "test", token: nil)), from: 1, at: 0)
        return machine
    }

    @discardableResult
    private func send(
        _ command: ReferenceCommand, _ machine: inout ReceiverMachine, at now: Double
    ) -> [ReceiverMachine.Effect] {
        machine.received(ReferenceRequest(id: 9, command: command), from: 1, at: now)
    }

    private func result(_ effects: [ReceiverMachine.Effect]) -> Result<ReferenceResult, ReferenceFailure>? {
        guard case .send(_, .reply(_, let result))? = effects.first else { return nil }
        return result
    }

    /// A machine that holds the film at 5 s.
    private func held() -> ReceiverMachine {
        var machine = machine()
        send(.play(id: "p", media: Self.media), &machine, at: 0)
        _ = machine.fetched(1, MediaFacts(duration: 60), at: 1)
        return machine
    }

    @Test func itTellsItsClock() {
        var machine = machine()
        #expect(result(send(.clock, &machine, at: 12.5)) == .success(.time(seconds: 12.5)))
    }

    @Test func whatIsHeldWaitsForItsStart() throws {
        var machine = held()
        let waiting = try #require(machine.playback(at: 9))
        #expect(waiting.isHeld && waiting.isPlaying && !waiting.isBuffering && waiting.rate == 0)
        #expect(waiting.position == 5 && waiting.time == 9 && machine.wakeTime == nil)

        send(.start(position: 5, at: 10), &machine, at: 9)
        let soon = try #require(machine.playback(at: 9.5))
        #expect(!soon.isHeld && soon.rate == 0 && soon.position == 5 && machine.wakeTime == 10)
        // All clients are notified when it starts to move.
        #expect(machine.woken(at: 9.9).isEmpty)
        let told = machine.woken(at: 10).compactMap { effect -> ReferencePlayback? in
            if case .send(_, .event(.playback(let state))) = effect { state } else { nil }
        }
        #expect(told.map(\.rate) == [1] && told.map(\.time) == [10])
        #expect(machine.playback(at: 12)?.position == 7 && machine.wakeTime == 65)
        #expect(machine.woken(at: 12).isEmpty, "once")
    }

    @Test func aStartThatIsPastIsCaughtUpWith() {
        var machine = held()
        send(.start(position: 20, at: 1), &machine, at: 4)
        #expect(machine.playback(at: 4)?.position == 23 && machine.playback(at: 4)?.rate == 1)
        // And again, a little to the side, as clocks drift.
        send(.start(position: 20, at: 1.01), &machine, at: 8)
        #expect(abs((machine.playback(at: 8)?.position ?? 0) - 26.99) < 1e-9)
    }

    @Test func aStartBeforeItsDataHasComeIsKept() {
        var machine = machine()
        send(.play(id: "p", media: Self.media), &machine, at: 0)
        send(.start(position: 5, at: 2), &machine, at: 1)
        #expect(machine.playback(at: 3)?.isBuffering == true && machine.playback(at: 3)?.position == 5)
        _ = machine.fetched(1, MediaFacts(duration: 60), at: 4)
        #expect(machine.playback(at: 4)?.position == 7, "where the others are by now")
    }

    @Test func aPauseEndsTheWaitAndSpeedsCount() {
        var machine = held()
        send(.start(position: 5, at: 10), &machine, at: 9)
        send(.pause, &machine, at: 9.5)
        #expect(machine.playback(at: 20)?.position == 5 && machine.wakeTime == nil)
        send(.setSpeed(speed: 2), &machine, at: 20)
        send(.start(position: 6, at: 21), &machine, at: 20)
        #expect(machine.playback(at: 20.5)?.position == 6 && machine.playback(at: 23)?.position == 10)
        // While a start is to come, a place is where it will start.
        send(.start(position: 6, at: 31), &machine, at: 30)
        send(.seek(position: 8), &machine, at: 30.5)
        #expect(machine.playback(at: 30.9)?.position == 8 && machine.playback(at: 32)?.position == 10)
    }

    @Test func itMayBeResumedWithoutTheOthers() {
        var machine = held()
        send(.resume, &machine, at: 3)
        #expect(machine.playback(at: 4)?.isHeld == false && machine.playback(at: 4)?.position == 6)
    }

    @Test func theEndIsWhereItIsOnTheLine() {
        var machine = held()
        send(.start(position: 50, at: 10), &machine, at: 9)
        _ = machine.woken(at: 10)
        #expect(machine.wakeTime == 20)
        #expect(machine.woken(at: 20).contains(.send(client: 1, .event(.ended(id: "p", failure: nil)))))
    }

    @Test(arguments: [
        ReferenceCommand.start(position: .nan, at: 1), .start(position: -1, at: 1), .start(position: 1, at: .infinity),
        .start(position: 1, at: 1000),
    ])
    func noOtherMomentIsTaken(_ command: ReferenceCommand) {
        var machine = held()
        guard case .failure(let failure)? = result(send(command, &machine, at: 2)) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .badRequest && machine.playback(at: 3)?.isHeld == true)
    }

    @Test func anApplicationHasNoTimelineAndNothingHasNoStart() {
        var machine = machine()
        #expect(result(send(.start(position: 1, at: 1), &machine, at: 1)).map(Self.code) == .nothingPlays)
        send(.launch(id: "p", application: ReceiverMachine.echo, url: "x:y"), &machine, at: 1)
        #expect(result(send(.start(position: 1, at: 1), &machine, at: 1)).map(Self.code) == .notSupported)
    }

    private static func code(_ result: Result<ReferenceResult, ReferenceFailure>) -> ReferenceFailure.Code? {
        if case .failure(let failure) = result { failure.code } else { nil }
    }

    @Test func whoComesLaterIsToldWhatPlays() throws {
        var machine = held()
        send(.start(position: 5, at: 2), &machine, at: 2)
        _ = machine.connected(2)
        let hello = machine.received(
            .init(id: 1, command: .hello(version: 1, client: "later", token: nil)), from: 2, at: 6)
        guard case .success(.welcome(let welcome))? = result(hello) else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.playback?.id == "p" && welcome.playback?.position == 9 && welcome.playback?.time == 6)
    }
}

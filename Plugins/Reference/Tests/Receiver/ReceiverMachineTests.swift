import Foundation
import Testing

@testable import ReferenceProtocol
@testable import ReferenceReceiver

struct ReceiverMachineTests {
    private static let media = ReferenceMedia(url: "http://h/film.mp4", title: "Film", duration: 60)

    /// A machine with one client that said hello, and nothing wanted of it.
    private func machine(_ change: (inout ReceiverSettings) -> Void = { _ in }) -> ReceiverMachine {
        var settings = ReceiverSettings(name: "TV", memoryFile: "")
        settings.authorization = .none
        change(&settings)
        var machine = ReceiverMachine(settings: settings, id: "id", tokens: [])
        _ = machine.connected(1)
        _ = machine.received(.init(id: 1, command: .hello(version: 1, client: "test", token: nil)), from: 1, at: 0)
        return machine
    }

    private func send(_ command: ReferenceCommand, _ machine: inout ReceiverMachine, at now: Double = 0)
        -> [ReceiverMachine.Effect]
    {
        machine.received(ReferenceRequest(id: 9, command: command), from: 1, at: now)
    }

    private func failure(_ effects: [ReceiverMachine.Effect]) -> ReferenceFailure.Code? {
        guard case .send(_, .reply(_, .failure(let failure)))? = effects.first else { return nil }
        return failure.code
    }

    @Test func playsFromOpeningToTheEnd() throws {
        var machine = machine()
        let begun = send(.play(id: "p", media: Self.media), &machine)
        #expect(begun.first == .send(client: 1, .reply(to: 9, .success(.done))))
        #expect(begun.contains(.fetch(number: 1, Self.media)))
        #expect(machine.playback(at: 5)?.isBuffering == true && machine.playback(at: 5)?.position == 0)
        #expect(machine.wakeTime == nil)

        _ = machine.fetched(1, MediaFacts(duration: 60), at: 10)
        #expect(machine.playback(at: 15)?.position == 5 && machine.playback(at: 15)?.rate == 1)
        #expect(machine.wakeTime == 70)
        _ = send(.pause, &machine, at: 20)
        #expect(machine.playback(at: 99)?.position == 10 && machine.wakeTime == nil)
        _ = send(.seek(position: 50), &machine, at: 100)
        _ = send(.resume, &machine, at: 100)
        #expect(machine.playback(at: 105)?.position == 55 && machine.wakeTime == 110)
        #expect(machine.woken(at: 109).isEmpty)
        #expect(machine.woken(at: 110).contains(.send(client: 1, .event(.ended(id: "p", failure: nil)))))
        #expect(machine.playback(at: 111) == nil)
    }

    @Test func speedsAndScansMoveTheClock() {
        var machine = machine()
        _ = send(.play(id: "p", media: Self.media), &machine)
        _ = machine.fetched(1, MediaFacts(duration: 60), at: 0)
        _ = send(.setSpeed(speed: 2), &machine, at: 5)
        #expect(machine.playback(at: 10)?.position == 15)
        _ = send(.scan(speed: -8), &machine, at: 10)
        #expect(machine.playback(at: 11)?.position == 7 && machine.playback(at: 99)?.position == 0)
        _ = send(.scan(speed: 0), &machine, at: 11)
        #expect(machine.playback(at: 12)?.position == 9, "the speed of before")
        #expect(failure(send(.setSpeed(speed: 9), &machine, at: 12)) == .notSupported)
        #expect(failure(send(.seek(position: .nan), &machine, at: 12)) == .badRequest)
    }

    @Test func aLiveStreamHasNoLengthAndNoSeeking() {
        var machine = machine()
        _ = send(.play(id: "p", media: Self.media), &machine)
        _ = machine.fetched(1, MediaFacts(isLive: true), at: 0)
        let playback = machine.playback(at: 3)
        #expect(playback?.isLive == true && playback?.duration == nil && machine.wakeTime == nil)
        #expect(failure(send(.seek(position: 1), &machine)) == .notSupported)
        // The stream breaks off.
        #expect(!machine.fetchFailed(1, ReferenceFailure(.unreachableMedia, "gone")).isEmpty)
    }

    @Test func aProgrammeHasPartsAndLanguages() {
        var machine = machine()
        _ = send(.play(id: "p", media: ReferenceMedia(url: "http://h/film")), &machine)
        let programme = Programme(
            media: "x", title: "P", segments: [.init(id: "ad", start: 0, duration: 5, kind: .advertisement)],
            audio: [.init(id: "en", name: "English"), .init(id: "de", name: "Deutsch")],
            subtitles: [.init(id: "ja", name: "日本語", language: "ja")])
        _ = machine.fetched(1, MediaFacts(duration: 60, programme: programme), at: 0)
        #expect(machine.playback(at: 0)?.title == "P" && machine.playback(at: 0)?.segments.count == 1)
        #expect(machine.playback(at: 0)?.selected == ["audio": "en"])
        _ = send(.select(list: .audio, option: "de"), &machine)
        _ = send(.select(list: .subtitles, option: "ja"), &machine)
        #expect(machine.playback(at: 0)?.selected == ["audio": "de", "subtitles": "ja"])
        #expect(failure(send(.select(list: .audio, option: "fr"), &machine)) == .badRequest)
        _ = send(.select(list: .subtitles, option: nil), &machine)
        #expect(machine.playback(at: 0)?.selected == ["audio": "de"])
    }

    @Test func anApplicationSendsBackWhatItGets() {
        var machine = machine()
        #expect(failure(send(.send(data: Data([1])), &machine)) == .nothingPlays)
        #expect(failure(send(.launch(id: "p", application: "other", url: "x:y"), &machine)) == .notSupported)
        _ = send(.launch(id: "p", application: ReceiverMachine.echo, url: "x:y"), &machine)
        #expect(machine.playback(at: 1)?.application == ReceiverMachine.echo)
        let echoed = send(.send(data: Data([1, 2])), &machine)
        #expect(
            echoed.contains(.send(client: 1, .event(.data(application: ReceiverMachine.echo, data: Data([1, 2]))))))
    }

    @Test func theLevelChangesTheWayItCan() {
        var absolute = machine()
        #expect(
            send(.setVolume(level: 7), &absolute).contains(.send(client: 1, .event(.volume(level: 1, muted: false)))))
        #expect(failure(send(.changeVolume(steps: 1), &absolute)) == .notSupported)
        var relative = machine { $0.volume = .relative }
        #expect(
            send(.changeVolume(steps: 1), &relative)
                .contains(.send(client: 1, .event(.volume(level: nil, muted: false)))))
        #expect(failure(send(.setVolume(level: 0.5), &relative)) == .notSupported)
        var none = machine { $0.volume = .none }
        #expect(failure(send(.setMuted(muted: true), &none)) == .notSupported)
    }

    @Test func nothingIsTakenBeforeAuthorization() {
        var machine = machine { $0.authorization = .pin4 }
        #expect(failure(send(.play(id: "p", media: Self.media), &machine)) == .authorizationRequired)
        let asked = send(.pair, &machine)
        guard case .show(.code(let code))? = asked.last else {
            Issue.record("no code is shown")
            return
        }
        #expect(failure(send(.answer(code: "x"), &machine)) == .wrongCode)
        #expect(failure(send(.answer(code: code), &machine)) == .refused, "a wrong code ends the pairing")
        #expect(machine.disconnected(1).isEmpty)
    }

    @Test(arguments: ReceiverSettings.Failure.allCases)
    func everyFailureCanBeHad(_ kind: ReceiverSettings.Failure) {
        var machine = machine {
            $0.failures = [kind]
            $0.authorization = kind == .pairing ? .pin4 : .none
        }
        switch kind {
        case .connect: #expect(machine.connected(2) == [.disconnect(client: 2)])
        case .silent: #expect(send(.pair, &machine).isEmpty)
        case .garbage: #expect(send(.pair, &machine) == [.sendGarbage(client: 1)])
        case .busy: #expect(failure(send(.hello(version: 1, client: "c", token: nil), &machine)) == .busy)
        case .pairing:
            _ = send(.pair, &machine)
            #expect(failure(send(.answer(code: "1"), &machine)) == .refused)
        case .media: #expect(failure(send(.play(id: "p", media: Self.media), &machine)) == .unreachableMedia)
        case .format: #expect(failure(send(.play(id: "p", media: Self.media), &machine)) == .unsupportedFormat)
        case .playback, .disconnect:
            _ = send(.play(id: "p", media: Self.media), &machine)
            _ = machine.fetched(1, MediaFacts(duration: 60), at: 0)
            #expect(machine.wakeTime == 5 && machine.woken(at: 4).isEmpty)
            let effects = machine.woken(at: 5)
            if kind == .disconnect {
                #expect(effects == [.disconnect(client: 1)])
            } else {
                #expect(
                    effects.contains(
                        .send(client: 1, .event(.ended(id: "p", failure: ReferenceFailure(.broken, "TV broke off."))))))
            }
        }
    }

    @Test func thePersonAtTheReceiverIsHeard() {
        var machine = machine()
        _ = send(.play(id: "p", media: Self.media), &machine)
        _ = machine.fetched(1, MediaFacts(duration: 60), at: 0)
        #expect(!machine.performed(.togglePlayback, at: 1).isEmpty)
        #expect(machine.playback(at: 9)?.isPlaying == false)
        #expect(
            machine.performed(.changeVolume(10), at: 1)
                .contains(.send(client: 1, .event(.volume(level: 0.5, muted: false)))))
        #expect(machine.performed(.stop, at: 2).contains(.send(client: 1, .event(.ended(id: "p", failure: nil)))))
        #expect(machine.performed(.confirm(true), at: 3).isEmpty)
    }
}

struct MediaProbeTests {
    @Test func readsTheLengthOfAToneAndOfMP3() {
        let tone = Tone.pieces(seconds: 3).flatMap { $0 }
        #expect(MediaProbe.duration(head: Array(tone.prefix(44)), length: tone.count) == 3)
        #expect(MediaProbe.duration(head: Tone.header(byteCount: .max), length: nil) == nil)
        // 128 kbit/s: 16,000 bytes a second.
        #expect(MediaProbe.duration(head: [0xFF, 0xFB, 0x90, 0x00], length: 160_000) == 10)
        // 441 frames at 44.1 kHz, whatever the bit rate of the first one.
        let counted =
            [0xFF, 0xFB, 0x50, 0x00] + Array(repeating: 0, count: 32) + Array("Xing".utf8) + [
                0, 0, 0, 1, 0, 0, 1, 0xB9,
            ]
        #expect(abs((MediaProbe.duration(head: counted, length: 9) ?? 0) - 11.52) < 0.001)
        #expect(MediaProbe.duration(head: Array(counted.prefix(42)), length: 16) != 11.52)
        #expect(MediaProbe.duration(head: [0xFF, 0xFB], length: 160_000) == nil)
        #expect(MediaProbe.duration(head: Array("RIFF".utf8), length: 4) == nil)
        #expect(MediaProbe.duration(head: [], length: 0) == nil)
    }
}

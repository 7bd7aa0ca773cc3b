import Foundation
import Testing

@testable import ReferenceProtocol
@testable import ReferenceReceiver

/// A receiver that takes sound and pictures as they come, without I/O.
struct LiveReceptionTests {
    private static let sound = ReferenceLive(title: "Radio", sound: .init(sampleRate: 48_000, channelCount: 2))
    private static let screen = ReferenceLive(
        sound: nil, picture: .init(width: 1280, height: 720, frameRate: 30))

    /// A machine with two clients that said hello.
    private func machine(_ change: (inout ReceiverSettings) -> Void = { _ in }) -> ReceiverMachine {
        var settings = ReceiverSettings(name: "TV", memoryFile: "")
        settings.authorization = .none
        change(&settings)
        var machine = ReceiverMachine(settings: settings, id: "id", tokens: [])
        for client in 1...2 {
            _ = machine.connected(client)
            _ = send(.hello(version: 1, client: "test", token: nil), &machine, from: client)
        }
        return machine
    }

    private func send(
        _ command: ReferenceCommand, _ machine: inout ReceiverMachine, from client: Int = 1, at now: Double = 0
    ) -> [ReceiverMachine.Effect] {
        machine.received(ReferenceRequest(id: 9, command: command), from: client, at: now)
    }

    private func failure(_ effects: [ReceiverMachine.Effect]) -> ReferenceFailure.Code? {
        guard case .send(_, .reply(_, .failure(let failure)))? = effects.first else { return nil }
        return failure.code
    }

    @Test func playbackBeginsWhenTheFirstSoundIsDue() {
        var machine = machine()
        #expect(send(.receive(id: "a", live: Self.sound), &machine).contains(.startLive(Self.sound)))
        #expect(machine.playback(at: 1)?.isBuffering == true && machine.playback(at: 1)?.title == "Radio")
        #expect(send(.sound(at: 5, samples: Data(count: 8)), &machine, at: 2).contains(.playSound(Data(count: 8))))
        #expect(machine.playback(at: 3)?.isBuffering == false && machine.playback(at: 3)?.rate == 0)
        #expect(machine.wakeTime == 5)
        _ = machine.woken(at: 5)
        #expect(machine.playback(at: 7)?.position == 2 && machine.playback(at: 7)?.rate == 1)
        #expect(send(.stop, &machine, at: 8).contains(.endLive))
        #expect(failure(send(.sound(at: 9, samples: Data(count: 8)), &machine, at: 8)) == .nothingPlays)
    }

    @Test func itEndsWithTheConnectionOfItsClient() {
        var machine = machine()
        _ = send(.receive(id: "a", live: Self.sound), &machine)
        let effects = machine.disconnected(1)
        #expect(effects.contains(.endLive) && machine.playback(at: 0) == nil)
        #expect(effects.contains(.send(client: 2, .event(.ended(id: "a", failure: nil)))))
        _ = send(.receive(id: "b", live: Self.sound), &machine, from: 2)
        _ = machine.connected(3)
        let others = machine.disconnected(3)
        #expect(others.isEmpty && machine.playback(at: 0)?.id == "b")
    }

    @Test func whatWasNotAnnouncedIsRefused() {
        var machine = machine()
        _ = send(.receive(id: "a", live: Self.sound), &machine)
        for samples in [Data(), Data(count: 3)] {
            #expect(failure(send(.sound(at: 5, samples: samples), &machine)) == .badRequest)
        }
        #expect(failure(send(.sound(at: .nan, samples: Data(count: 4)), &machine)) == .badRequest)
        #expect(failure(send(.sound(at: 61, samples: Data(count: 4)), &machine)) == .badRequest)
        #expect(failure(send(.picture(at: 5, accessUnit: Data(count: 4)), &machine)) == .badRequest)
        #expect(failure(send(.sound(at: 5, samples: Data(count: 4)), &machine, from: 2)) == .nothingPlays)
        #expect(failure(send(.sound(at: 5, samples: Data(count: 4)), &machine, at: 5.1)) == .late)
        for command in [ReferenceCommand.pause, .resume, .seek(position: 1), .start(position: 0, at: 1)] {
            #expect(failure(send(command, &machine)) == .notSupported, "\(command)")
        }
        #expect(machine.playback(at: 9)?.isBuffering == true)
    }

    @Test func whatTheReceiverCannotDoIsRefused() {
        var speaker = machine { $0.kind = .speaker }
        #expect(failure(send(.receive(id: "a", live: Self.screen), &speaker)) == .unsupportedFormat)
        #expect(failure(send(.receive(id: "a", live: Self.sound), &speaker)) == nil)
        var older = machine { $0.takesLive = false }
        #expect(failure(send(.receive(id: "a", live: Self.sound), &older)) == .unsupportedFormat)
        var television = machine()
        #expect(failure(send(.receive(id: "a", live: Self.screen), &television)) == nil)
        let impossible = [
            ReferenceLive(sound: nil), ReferenceLive(sound: .init(sampleRate: 0, channelCount: 2)),
            ReferenceLive(sound: .init(sampleRate: 48_000, channelCount: 9)),
            ReferenceLive(sound: nil, picture: .init(width: 1280, height: 720_000, frameRate: 30)),
        ]
        for live in impossible {
            #expect(failure(send(.receive(id: "a", live: live), &television)) == .badRequest, "\(live)")
        }
    }

    @Test func aSimulatedFailureEndsIt() {
        var machine = machine { $0.failures = [.playback] }
        _ = send(.receive(id: "a", live: Self.screen), &machine)
        _ = send(.picture(at: 1, accessUnit: Data([1])), &machine)
        #expect(machine.wakeTime == 1)
        _ = machine.woken(at: 1)
        #expect(machine.woken(at: ReceiverMachine.grace).contains(.endLive))
    }
}

import Foundation
import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

/// Control of what another sender plays.
@Suite(.timeLimit(.minutes(1)))
struct OtherSenderTests {
    private static var playingDevice: DeviceDescription {
        var device = HostUnderTest.device
        device.txt["playing"] = "Radio"
        return device
    }

    private func runner(_ answer: @escaping @Sendable (String) -> ExtensionMessage) -> ScriptedRunner {
        ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
            case .takeControl(let session): [answer(session)]
            default: []
            }
        }
    }

    private var playing: ScriptedRunner {
        runner { session in
            var state = PlaybackState()
            state.isReady = true
            state.isPlaying = true
            return .started(session: session, application: "", state: state)
        }
    }

    @Test func itsPlaybackIsASession() async throws {
        let world = HostUnderTest(playing)
        await world.discover(Self.playingDevice)
        let id = try await world.host.takeControl(of: HostUnderTest.device.id, prompt: nil)
        let session = try await world.host.session(id)
        #expect(session.isOthers && session.state == .active && session.playback.isPlaying && session.source.isEmpty)
        // A second request gets the same.
        #expect(try await world.host.takeControl(of: HostUnderTest.device.id, prompt: nil) == id)
        #expect(world.runner.calls.count { if case .takeControl = $0 { true } else { false } } == 1)
        await world.finish()
    }

    /// Released, but never stopped.
    @Test func itPlaysOnWhenNobodyControlsItAnyLonger() async throws {
        let world = HostUnderTest(playing)
        await world.discover(Self.playingDevice)
        let id = try await world.host.takeControl(of: HostUnderTest.device.id, prompt: nil)
        await world.host.leavePlayback(id)
        #expect(await world.host.liveSessions.isEmpty)
        #expect(!world.runner.calls.contains { if case .stopSession = $0 { true } else { false } })
        await world.finish()
    }

    @Test func nothingIsToldAsAnError() async throws {
        let world = HostUnderTest(runner { .sessionEnded(session: $0, ending: nil) })
        await world.discover(Self.playingDevice)
        let error = await #expect(throws: HostError.self) {
            try await world.host.takeControl(of: HostUnderTest.device.id, prompt: nil)
        }
        #expect(error?.code == .noSuchSession && error?.message.contains("Nothing plays on") == true)
        #expect(await world.host.liveSessions.isEmpty)
        await world.finish()
    }

    @Test func aDeviceThatDoesNotTellIsLeftAlone() async throws {
        let world = HostUnderTest(playing)
        await world.discover()
        let error = await #expect(throws: HostError.self) {
            try await world.host.takeControl(of: HostUnderTest.device.id, prompt: nil)
        }
        #expect(
            error?.code == .notSupported
                && !world.runner.calls.contains { if case .takeControl = $0 { true } else { false } })
        await world.finish()
    }
}

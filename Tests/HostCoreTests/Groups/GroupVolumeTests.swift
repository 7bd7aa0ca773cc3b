import Foundation
import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct GroupVolumeTests {
    private let home = GroupWorld()
    private let living = GroupWorld.living
    private let kitchen = GroupWorld.kitchen

    @Test func eachHasItsOwnLevelAndAllMoveInProportion() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        #expect(await home.known(living)?.groupLevel == 0.8)
        #expect(await home.known(kitchen)?.groupLevel == 0.8)
        try await home.host.setGroupVolume(0.4, device: kitchen, prompt: nil)
        #expect(home.levels == [living: [0.4], kitchen: [0.2]])
        #expect(await home.known(kitchen)?.groupLevel == 0.4)
        // One alone, and the whole by the session, as a desktop's slider does.
        try await home.host.setVolume(0.4, device: kitchen, prompt: nil)
        try await home.host.command(PlaybackCommand(.setVolume, number: 0.6), session: session)
        #expect(home.levels == [living: [0.4, 0.6], kitchen: [0.2, 0.4, 0.6]])
        try await home.host.changeGroupVolume(by: -2, device: living, prompt: nil)
        #expect(home.levels[living]?.last == 0.5 && home.levels[kitchen]?.last == 0.5)
        #expect(home.count { if case .playbackCommand = $0 { true } else { false } } == 0)
        await home.world.finish()
    }

    @Test func whatIsChangedAtADeviceCounts() async throws {
        await home.discover()
        _ = try await home.play(with: [kitchen])
        home.runner.emit(.message(.volumeChanged(device: kitchen, level: 1, isMuted: false)))
        await home.until(living) { $0.groupLevel == 1 }
        try await home.host.leave(kitchen)
        #expect(await home.known(living)?.groupLevel == nil)
        #expect(await home.known(kitchen)?.groupLevel == nil)
        try await home.host.setGroupVolume(0.3, device: living, prompt: nil)
        #expect(home.levels == [living: [0.3]], "a device alone has its own")
        await home.world.finish()
    }

    @Test func stepsGoToEveryMember() async throws {
        let (one, two) = (
            GroupWorld.device(4, "One") { $0.volumeControl = .relative },
            GroupWorld.device(5, "Two") { $0.volumeControl = .relative }
        )
        await home.discover(one, two)
        _ = try await home.play(with: [two.id], on: one.id)
        #expect(await home.known(one.id)?.groupLevel == nil)
        try await home.host.changeGroupVolume(by: 2, device: two.id, prompt: nil)
        let steps = home.runner.calls.filter { if case .changeVolume = $0 { true } else { false } }
        #expect(steps == [.changeVolume(device: one.id, increments: 2), .changeVolume(device: two.id, increments: 2)])
        await #expect(throws: HostError.self) {
            try await home.host.setGroupVolume(0.3, device: one.id, prompt: nil)
        }
        await home.world.finish()
    }

    @Test func muteIsForAll() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen])
        home.runner.setVolume((0.4, true), device: kitchen)
        try await home.host.command(PlaybackCommand(.setMuted, flag: true), session: session)
        #expect(
            home.runner.calls.filter { if case .muteDevice = $0 { true } else { false } }
                == [.muteDevice(device: living)], "the other one is silent already")
        #expect(await home.known(living)?.isMuted == true)
        #expect(await home.known(kitchen)?.isMuted == true)
        await home.world.finish()
    }

    @Test func aMemberThatIsAwayKeepsItsOwnAndHoldsNobodyUp() async throws {
        await home.discover()
        _ = try await home.play(with: [kitchen])
        home.script.refusals = [kitchen: HostError(.unreachable, "It is off.")]
        let link = try #require(home.activations(of: kitchen).first)
        home.runner.emit(
            .message(.failedToActivate(device: kitchen, session: link, error: HostError(.unreachable, "Gone."))))
        await home.until(kitchen) { $0.activation == .reconnecting }
        try await home.host.setGroupVolume(0.2, device: living, prompt: nil)
        #expect(home.levels == [living: [0.2]])
        await home.world.finish()
    }
}

import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// The choice between the parts of a device, and playback while devices are merged or split.
@Suite(.timeLimit(.minutes(1)))
struct MergedPlaybackTests {
    @Test func thePreferredPlaysAndTheOtherWhileItIsAway() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        try await home.host.stop(try await home.play())
        #expect(home.starts == [1, 0])
        await home.lose(home.living, home.dlnaRunner)
        let session = try await home.play()
        #expect(home.starts == [1, 1])
        #expect(try await home.host.session(session).entryID == home.living.id)
        // It is back without playback: the part in use stays in use until it is released.
        await home.find(home.living, home.dlnaRunner)
        _ = try await home.play()
        #expect(home.starts == [1, 2])
        try await home.host.deactivate(home.living.id)
        _ = try await home.play()
        #expect(home.starts == [2, 2])
        await home.world.finish()
    }

    @Test(arguments: [HostError.Code.unreachable, .timedOut, .extensionCrashed])
    func oneThatTurnsOutNotToBeThereIsPassedOver(code: HostError.Code) async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        home.dlna.activation = HostError(code, "Nothing there.")
        let session = try await home.play()
        #expect(home.starts == [0, 1])
        #expect(try await home.host.session(session).deviceID == home.open.id)
        await home.world.finish()
    }

    @Test func oneThatDoesNotKnowTheFormatIsPassedOver() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        home.dlna.start = HostError(.unsupportedFormat, "No such format.")
        _ = try await home.play()
        #expect(home.starts == [1, 1])
        // The way that was tried in vain is closed.
        #expect(await home.host.routes.keys.sorted() == [home.open.id])
        await home.world.finish()
    }

    @Test func whatTheDeviceRefusesIsNotTriedElsewhere() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        for code in [HostError.Code.authorizationFailed, .deviceInUse, .deviceRefused, .cancelled] {
            home.dlna.activation = HostError(code, "No.")
            let error = await #expect(throws: HostError.self) { try await home.play() }
            #expect(error?.code == code)
        }
        #expect(home.starts == [0, 0])
        await home.world.finish()
    }

    @Test func whereNoneWorksTheOneThatAnsweredSaysWhy() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        home.dlna.activation = HostError(.unreachable, "Off.")
        home.mpd.start = HostError(.unsupportedFormat, "No such format.")
        var error = await #expect(throws: HostError.self) { try await home.play() }
        #expect(error?.code == .unsupportedFormat)
        home.mpd.activation = HostError(.timedOut, "No answer.")
        error = await #expect(throws: HostError.self) { try await home.play() }
        #expect(error == HostError(.unreachable, "Off."))
        await home.world.finish()
    }

    @Test func aPersonMayChooseTheWay() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        for (word, starts) in [("MPD", [0, 1]), ("Living Room", [1, 1]), (home.open.id.lowercased(), [1, 2])] {
            _ = try await home.play(via: word)
            #expect(home.starts == starts)
            #expect(await home.host.liveSessions.count == 1, "what played by the other way is stopped")
        }
        let error = await #expect(throws: HostError.self) { try await home.play(via: "Cast") }
        #expect(error == HostError(.notSupported, "Living Room is not reached by “Cast”, but by DLNA and MPD."))
        // An explicitly chosen part isn't replaced when it fails.
        home.dlna.activation = HostError(.unreachable, "Off.")
        let off = await #expect(throws: HostError.self) { try await home.play(via: "DLNA") }
        #expect(off?.code == .unreachable)
        await home.world.finish()
    }

    @Test func onlyWhatCanIsAsked() async throws {
        let home = ReceiverOfTwo { living, open in
            living.capabilities = .appLaunch
            living.volumeControl = .none
            open.canMute = false
        }
        try await home.merge()
        _ = try await home.play()
        #expect(home.starts == [0, 1])
        try await home.host.setVolume(0.3, device: home.living.id, prompt: nil)
        #expect(home.mpdRunner.calls.contains(.setVolume(device: home.open.id, level: 0.3)))
        #expect(await home.host.devices.first?.level == 0.3)
        try await home.host.setMuted(true, device: home.living.id, prompt: nil)
        #expect(home.dlnaRunner.calls.contains(.muteDevice(device: home.living.id)))
        #expect(await home.host.devices.first?.isMuted == true)
        // A route opened for that is closed again.
        #expect(await home.host.routes.keys.sorted() == [home.open.id])
        await home.world.finish()
    }

    @Test func aRouteSomebodyHoldsIsTheOneThatIsUsed() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        try await home.host.activate(home.living.id, via: "MPD", holder: "app", prompt: nil)
        #expect(await home.host.devices.first?.activation == .active)
        try await home.host.sendRouteData(Data([1]), device: home.living.id)
        #expect(home.mpdRunner.calls.contains { if case .sendData = $0 { true } else { false } })
        _ = try await home.play()
        #expect(home.starts == [0, 1])
        await home.host.releaseAll(holder: "app")
        try await home.host.deactivate(home.living.id)
        #expect(await home.host.isIdle == false, "somebody looks still")
        #expect(await home.host.routes.isEmpty)
        await home.world.finish()
    }

    // MARK: While it plays

    @Test func whatPlaysMovesWithItsDeviceAndBack() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        let session = try await home.host.play(
            ReceiverOfTwo.film, on: home.open.id, application: nil, media: MediaInformation(), prompt: nil)
        #expect(try await home.host.session(session).entryID == home.open.id)
        _ = try await home.host.mergeDevices([home.living.id, home.open.id])
        #expect(
            await home.told().suffix(3) == ["+Living Room", "\(session) on Living Room", "-Open Room"],
            "the session is never on a device that is not there")
        var device = try #require(await home.host.devices.first)
        #expect(device.activation == .active && device.protocolName == "MPD")
        try await home.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        _ = try await home.host.splitDevice(home.living.id)
        #expect(await home.told().last == "\(session) on Open Room")
        device = try #require(await home.host.devices.first { $0.id == home.living.id })
        #expect(device.activation == .idle)
        #expect(try await home.host.session(session).state == .active)
        #expect(!home.mpdRunner.calls.contains { if case .stopSession = $0 { true } else { false } })
        await home.world.finish()
    }

    @Test func bothOfTwoThatPlayGoOnUntilTheNextPlayback() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        for id in [home.living.id, home.open.id] {
            _ = try await home.host.play(
                ReceiverOfTwo.film, on: id, application: nil, media: MediaInformation(), prompt: nil)
        }
        _ = try await home.host.mergeDevices([home.living.id, home.open.id])
        #expect(await home.host.liveSessions.count == 2)
        let next = try await home.play()
        #expect(await home.host.liveSessions.map(\.id) == [next])
        await home.world.finish()
    }

    @Test func theWayInUseDiesAndIsTakenUpAgain() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        let session = try await home.play()
        home.dlnaRunner.crash()
        await home.world.until { await $0.liveSessions.first?.state == .reconnecting }
        #expect(await home.host.devices.first?.activation == .reconnecting)
        home.dlnaRunner.restart()
        await home.world.until { await $0.liveSessions.first?.state == .active }
        #expect(await home.world.states(of: session) == [.starting, .active, .reconnecting, .active])
        #expect(home.starts == [1, 0])
        await home.world.finish()
    }

    @Test func theNextDaemonTakesUpWhatPlaysByTheOtherWay() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        let session = try await home.play(via: "MPD")
        let store = MemoryStore()
        let (kept, one) = (home.world.store.sessions.withLock { $0 }, home.world.store.one.withLock { $0 })
        store.sessions.withLock { $0 = kept }
        store.one.withLock { $0 = one }
        await home.world.finish()

        let later = ReceiverOfTwo(store: store)
        await later.world.until { await $0.liveSessions.first?.state == .active }
        #expect(await later.host.liveSessions.map(\.id) == [session])
        #expect(await later.host.liveSessions.map(\.entryID) == [later.living.id])
        #expect(await later.host.names == ["Living Room"])
        #expect(await later.told().allSatisfy { !$0.contains("Open Room") })
        await later.world.finish()
    }
}

import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct RemoteSessionsTests {
    @Test func aSessionIsMadeShownUpdatedAndEnded() async throws {
        try await RemoteWorld.open { world in
            let id = try await world.start("living")
            #expect(id == "remote1")
            await world.remote.shows(
                "Song", session: "living", devices: [.init(id: "k", name: "Kitchen", type: "speaker")])
            let shown = try await world.shown(id) { $0.state.content != nil }
            #expect(shown.name == "Kitchen" && shown.kind == .remote && shown.application == RemoteWorld.app)
            #expect(shown.isSystemPrimary && shown.isApplicationPrimary)
            try await world.update("living", "two")
            let token = try #require(await world.remote.keptTokens.first?.key)
            #expect(
                await world.remote.calls == [
                    .open(session: "living", attributes: Data("one".utf8), token: token),
                    .update(session: "living", attributes: Data("two".utf8)),
                ])
            #expect(await world.sessions.sessions(of: RemoteWorld.app).map(\.session) == ["living"])
            try await world.sessions.end("living", application: RemoteWorld.app)
            try await world.isGone(id)
            #expect(await world.remote.calls.last == .close(session: "living"))
            #expect(await world.remote.kept.isEmpty)
            try await world.sessions.end("living", application: RemoteWorld.app)
            await #expect(throws: HostError.self) { try await world.update("living", "three") }
        }
    }

    @Test func startingWhatIsThereBringsItUpToDate() async throws {
        try await RemoteWorld.open { world in
            let first = try await world.start("living")
            #expect(try await world.start("living", "two") == first)
            #expect(await world.remote.calls.last == .update(session: "living", attributes: Data("two".utf8)))
        }
    }

    @Test func anAppWithoutExtensionIsTold() async throws {
        try await RemoteWorld.open { world in
            let other = await #expect(throws: HostError.self) {
                try await world.sessions.start("x", application: "org.example.play", name: "", attributes: Data())
            }
            #expect(other?.code == .noSuchExtension)
        }
    }

    @Test func whatTheExtensionCannotUseIsGoneOrGoesBack() async throws {
        try await RemoteWorld.open { world in
            await world.remote.fail(HostError(.invalidArgument, "“title” of the attributes is missing."))
            await #expect(throws: HostError.self) { try await world.start("living") }
            #expect(await world.remote.kept.isEmpty)
            #expect(await world.sessions.isEmpty)
            await world.remote.fail(nil)
            let id = try await world.start("living")
            #expect(id == "remote2")
            await world.remote.fail(HostError(.invalidArgument, "No."))
            await #expect(throws: HostError.self) { try await world.update("living", "bad") }
            let record = await world.remote.kept[2]
            #expect(record?.attributes == Data("one".utf8) && record?.pending == nil)
        }
    }

    @Test func whatIsSupersededWhileTheExtensionIsBusyIsNeverSent() async throws {
        try await RemoteWorld.open { world in
            _ = try await world.start("living")
            await world.remote.hold()
            async let first: Void = world.update("living", "two")
            await world.remote.until { $0.calls.count == 2 }
            async let second: Void = world.update("living", "three")
            await world.remote.until { $0.kept[1]?.pending == Data("three".utf8) }
            async let third: Void = world.update("living", "four")
            await world.remote.until { $0.kept[1]?.pending == Data("four".utf8) }
            await world.remote.letGo()
            _ = try await (first, second, third)
            let sent = await world.remote.calls.dropFirst().map { call in
                if case .update(_, let data) = call { String(decoding: data, as: UTF8.self) } else { "" }
            }
            #expect(sent == ["two", "four"])
            #expect(await world.remote.kept[1]?.attributes == Data("four".utf8))
        }
    }

    @Test func anIdleExtensionIsLetGoAndComesBackForACommand() async throws {
        try await RemoteWorld.open { world in
            let id = try await world.start("living")
            await world.remote.shows("Song", session: "living")
            _ = try await world.shown(id) { $0.state.content != nil }
            await world.advance(by: RemoteSessions.patience) { await world.remote.needs == 0 }
            // The earlier content is still shown.
            #expect(try await world.nowPlaying.session(id).state.content?.title == "Song")
            try await world.nowPlaying.perform(MediaAction(.pause), session: id)
            #expect(await world.remote.asked == [.perform(MediaAction(.pause))])
            #expect(await world.remote.launches == 2)
            #expect(await world.remote.calls.count == 2)
        }
    }

    @Test func aCrashedExtensionGetsItsSessionsBack() async throws {
        try await RemoteWorld.open { world in
            _ = try await world.start("living")
            _ = try await world.start("bath")
            await world.remote.end(.crashed(HostError(.extensionCrashed, "It crashed.")))
            // The supervisor launches it again, for it is still needed.
            await world.remote.launch()
            await world.remote.until { $0.calls.count == 4 }
            let opened = await world.remote.calls.suffix(2).map { call in
                if case .open(let session, _, _) = call { session } else { "" }
            }
            #expect(opened.sorted() == ["bath", "living"])
            // News of the process before is void.
            await world.remote.shows("Old", session: "bath", generation: 1)
            await world.remote.shows("New", session: "bath")
            let shown = try await world.shown("remote2") { $0.state.content != nil }
            #expect(shown.state.content?.title == "New")
        }
    }

    @Test func everythingIsThereAfterARestart() async throws {
        let remote = ScriptedRemote()
        try await RemoteWorld.open(remote, clockOffset: 100) { world in
            let id = try await world.start("living")
            await world.remote.shows("Song", session: "living")
            _ = try await world.shown(id) { $0.state.content != nil }
            await world.advance(by: .seconds(1)) { await world.remote.kept[1]?.isCurrent == true }
        }
        await remote.end(.stopped)
        // The machine was started again: its clock began anew.
        try await RemoteWorld.open(remote, clockOffset: 40) { world in
            let shown = try await world.shown("remote1")
            #expect(shown.state.content?.title == "Song")
            #expect(shown.state.playback?.position?.hostTime == 940)
            #expect(await world.remote.launches == 1)
            try await world.update("living", "two")
            let token = try #require(await world.remote.keptTokens.first?.key)
            #expect(
                await world.remote.calls.last == .open(session: "living", attributes: Data("two".utf8), token: token))
            #expect(try await world.start("other") == "remote2")
        }
    }

    @Test func whatWasNotStoredInTimeIsAskedForAfterARestart() async throws {
        let remote = ScriptedRemote()
        try await RemoteWorld.open(remote) { world in
            _ = try await world.start("living")
            await world.remote.shows("Song", session: "living")
            _ = try await world.shown("remote1") { $0.state.content != nil }
            await world.advance(by: .seconds(1)) { await world.remote.kept[1]?.isCurrent == true }
            await world.remote.shows("Next", session: "living")
            await world.remote.until { $0.kept[1]?.isCurrent == false }
        }
        await remote.end(.stopped)
        try await RemoteWorld.open(remote) { world in
            await world.remote.until { $0.calls.count == 2 }
            #expect(await world.remote.launches == 2)
        }
    }

    @Test func aSwitchedOffExtensionShowsNothing() async throws {
        try await RemoteWorld.open { world in
            let id = try await world.start("living")
            _ = try await world.shown(id)
            var status = ScriptedRemote.status
            status.point = .remoteMedia
            status.state = .disabled
            await world.sessions.take(
                SupervisedEvent(identifier: status.id, generation: 1, event: .status(status)))
            try await world.isGone(id)
            status.state = .idle
            await world.sessions.take(
                SupervisedEvent(identifier: status.id, generation: 1, event: .status(status)))
            _ = try await world.shown(id)
            await world.sessions.take(SupervisedEvent(identifier: status.id, generation: 1, event: .removed))
            try await world.isGone(id)
            await world.remote.until { $0.kept.isEmpty }
        }
    }

    @Test func sessionsOfAnExtensionThatIsInstalledAgainAreShownAgain() async throws {
        let remote = ScriptedRemote()
        try await RemoteWorld.open(remote) { world in
            _ = try await world.start("living")
            await world.remote.shows("Song", session: "living")
            _ = try await world.shown("remote1") { $0.state.content != nil }
        }
        await remote.end(.stopped)
        await remote.uninstall()
        try await RemoteWorld.open(remote) { world in
            await #expect(throws: HostError.self) { try await world.nowPlaying.session("remote1") }
            var status = ScriptedRemote.status
            status.point = .remoteMedia
            await world.sessions.take(SupervisedEvent(identifier: status.id, generation: 0, event: .status(status)))
            _ = try await world.shown("remote1")
        }
    }

    @Test func anExtensionThatMayNotRunIsToldAtOnce() async throws {
        try await RemoteWorld.open { world in
            var status = ScriptedRemote.status
            status.point = .remoteMedia
            status.state = .quarantined
            status.lastError = "It crashed too often."
            await world.sessions.take(SupervisedEvent(identifier: status.id, generation: 0, event: .status(status)))
            let error = await #expect(throws: HostError.self) { try await world.start("living") }
            #expect(error == HostError(.extensionUnusable, "It crashed too often."))
        }
    }

    @Test func whatCannotBeStoredIsNotAcknowledged() async throws {
        try await RemoteWorld.open { world in
            await world.remote.breakStorage()
            let error = await #expect(throws: HostError.self) { try await world.start("living") }
            #expect(error?.code == .storageFailed)
            #expect(await world.sessions.isEmpty)
        }
    }

    @Test func theSharedVolumeKeepsTheBalance() async throws {
        try await RemoteWorld.open { world in
            let id = try await world.start("living")
            let devices = [
                MediaSessionDevice(id: "k", name: "Kitchen", type: "speaker", level: 0.8),
                MediaSessionDevice(id: "b", name: "Bath", type: "speaker", level: 0.4, isStepped: true),
            ]
            await world.remote.shows("Song", session: "living", devices: devices)
            #expect(try await world.shown(id) { $0.volume != nil }.volume == 0.8)
            try await world.nowPlaying.setVolume(0.4, session: id)
            try await world.nowPlaying.setVolume(2, device: "k", session: id)
            try await world.nowPlaying.stepVolume(-2, device: "b", session: id)
            #expect(
                await world.remote.asked == [
                    .setDeviceVolume(device: "k", level: 0.4), .setDeviceVolume(device: "b", level: 0.2),
                    .setDeviceVolume(device: "k", level: 1), .stepDeviceVolume(device: "b", steps: -2),
                ])
            let unknown = await #expect(throws: HostError.self) {
                try await world.nowPlaying.setVolume(1, device: "hall", session: id)
            }
            #expect(unknown?.code == .noSuchDevice)
            let stiff = await #expect(throws: HostError.self) {
                try await world.nowPlaying.stepVolume(1, device: "k", session: id)
            }
            #expect(stiff?.code == .notSupported)
        }
    }

    @Test func silenceIsLeftTogether() {
        let devices = [
            MediaSessionDevice(id: "a", name: "", type: "speaker", level: 0),
            MediaSessionDevice(id: "b", name: "", type: "speaker", level: 0),
            MediaSessionDevice(id: "c", name: "", type: "speaker"),
        ]
        #expect(SharedLevel.levels(0.5, for: devices).map(\.level) == [0.5, 0.5])
        #expect(SharedLevel.level(of: []) == nil)
    }
}

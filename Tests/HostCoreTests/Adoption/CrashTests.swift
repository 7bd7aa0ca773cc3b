import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// An extension dies while its device is in use.
@Suite(.timeLimit(.minutes(1)))
struct CrashTests {
    private static let id = HostUnderTest.device.id
    private static let film = "http://media.example/film.mp4"
    private let script = AdoptingExtension()

    private func playing(timing: HostTiming = .withoutLingering) async throws -> (world: HostUnderTest, session: String)
    {
        let world = HostUnderTest(script.runner(), timing: timing)
        await world.discover()
        let session = try await world.host.play(
            URL(string: Self.film)!, on: Self.id, application: nil, media: MediaInformation(title: "Film"), prompt: nil)
        return (world, session)
    }

    private func activation(_ world: HostUnderTest) async -> HostDevice.Activation? {
        await world.host.devices.first { $0.id == Self.id }?.activation
    }

    @Test func whatPlaysIsTakenUpWithoutBeingStartedAgain() async throws {
        let (world, session) = try await playing()
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        #expect(await activation(world) == .reconnecting)
        world.runner.restart()
        await world.until { await $0.liveSessions.first?.state == .active }
        await world.until { _ in await self.activation(world) == .active }
        #expect(try await world.host.session(session).playback.position.value == 42)
        #expect(await world.states(of: session) == [.starting, .active, .reconnecting, .active])
        #expect(world.runner.calls.count { if case .startSession = $0 { true } else { false } } == 1)
        let adopted = world.runner.calls.compactMap { call -> ExtensionCall? in
            if case .adoptSession = call { call } else { nil }
        }
        #expect(adopted.count == 1)
        if case .adoptSession(_, let application, let url, let media, let token) = adopted.first {
            #expect(application == nil && url == Self.film && media.title == "Film")
            #expect(token == Data("song 7".utf8))
        }
        // And it obeys again.
        try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        #expect(
            world.runner.calls.contains { if case .playbackCommand(_, let it) = $0 { it.flag == false } else { false } }
        )
        await world.finish()
    }

    @Test func theStoredSecretIsUsedAndNobodyIsAsked() async throws {
        let (world, session) = try await playing()
        world.runner.emit(.message(.setCredential(device: Self.id, secret: Data("sesame".utf8))))
        await world.until { _ in world.store.paired[Self.id] != nil }
        script.asksForCode = true
        world.runner.crash()
        world.runner.restart()
        await world.until { await $0.liveSessions.isEmpty }
        let activations = world.runner.calls.compactMap { call -> Data?? in
            if case .activate(_, _, _, let credential) = call { .some(credential) } else { nil }
        }
        #expect(activations.last == .some(.some(Data("sesame".utf8))))
        let last = world.published.withLock { changes in
            changes.compactMap { if case .session(let session) = $0 { session } else { nil } }.last
        }
        #expect(last?.id == session && last?.error?.code == .authorizationRequired)
        await world.until { _ in await self.activation(world) == .idle }
        await world.finish()
    }

    @Test func whatFinishedMeanwhileEndedAndLetsTheDeviceGo() async throws {
        let (world, session) = try await playing()
        script.adoption = .isOver
        world.runner.crash()
        world.runner.restart()
        await world.until { await $0.liveSessions.isEmpty }
        await world.until { _ in await self.activation(world) == .idle }
        #expect(await world.states(of: session).last == .ended)
        #expect(await world.host.devices.first?.lastError == nil)
        #expect(world.store.sessions.withLock { $0 }.isEmpty)
        await world.finish()
    }

    @Test func whatCannotBeTakenUpFailsWithTheReason() async throws {
        let (world, session) = try await playing()
        script.adoption = .failed(HostError(.notSupported, "It cannot."))
        world.runner.crash()
        world.runner.restart()
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session).last == .failed)
        await world.until { await $0.devices.first?.lastError?.message.contains("It cannot.") == true }
        await world.finish()
    }

    @Test func aSecondCrashOnTheWayIsSurvived() async throws {
        let (world, session) = try await playing()
        script.adoption = .nothing
        world.runner.crash()
        world.runner.restart()
        await world.until { _ in
            world.runner.calls.contains { if case .adoptSession = $0 { true } else { false } }
        }
        world.runner.crash()
        script.adoption = .stillPlays
        world.runner.restart()
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(await world.states(of: session) == [.starting, .active, .reconnecting, .active])
        await world.finish()
    }

    @Test func aQuarantinedExtensionIsGivenUpAtOnce() async throws {
        let (world, session) = try await playing()
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        await world.runner.quarantine()
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session).last == .failed)
        await world.until { _ in await self.activation(world) == .idle }
        await world.finish()
    }

    @Test func afterTheTimeForItItIsGivenUp() async throws {
        var timing = HostTiming.withoutLingering
        timing.recovery = .milliseconds(50)
        let (world, session) = try await playing(timing: timing)
        world.runner.crash(HostError(.extensionCrashed, "It died for good."))
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session).last == .failed)
        await world.until { await $0.devices.first?.lastError?.message == "It died for good." }
        await world.until { await $0.devices.first?.activation == .idle }
        #expect(!world.runner.reasons.contains("route:" + Self.id))
        await world.finish()
    }

    @Test func aRouteSomebodyHoldsIsOpenedAgain() async throws {
        let world = HostUnderTest(script.runner())
        await world.discover()
        try await world.host.activate(Self.id, holder: "app", prompt: nil)
        world.runner.crash()
        await world.until { _ in await self.activation(world) == .reconnecting }
        world.runner.restart()
        await world.until { _ in await self.activation(world) == .active }
        #expect(world.runner.calls.count { if case .activate = $0 { true } else { false } } == 2)
        #expect(!world.runner.calls.contains { if case .adoptSession = $0 { true } else { false } })
        await world.host.release(Self.id, holder: "app")
        #expect(await activation(world) == .idle)
        await world.finish()
    }

    @Test func whatMayBeSaidTwiceWaitsAndTheRestFails() async throws {
        let (world, session) = try await playing()
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        async let paused: Void = world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        async let moved: Void = world.host.command(PlaybackCommand(.seek, number: 12), session: session)
        async let level: Void = world.host.setVolume(0.25, device: Self.id, prompt: nil)
        await world.until { await $0.recoveries[Self.id]?.wishes.entries.count == 3 }
        let refused = await #expect(throws: HostError.self) {
            try await world.host.command(PlaybackCommand(.setScanSpeed, number: 4), session: session)
        }
        #expect(refused?.code == .extensionCrashed)
        world.runner.restart()
        _ = try await (paused, moved, level)
        let told = world.runner.calls.suffix(while: { call in
            if case .adoptSession = call { false } else { true }
        })
        #expect(told.contains { if case .playbackCommand(_, let it) = $0 { it.number == 12 } else { false } })
        #expect(told.contains { if case .playbackCommand(_, let it) = $0 { it.flag == false } else { false } })
        #expect(told.contains(.setVolume(device: Self.id, level: 0.25)))
        await world.finish()
    }

    @Test func aCommandUnderWhichTheExtensionDiesIsToldAgain() async throws {
        let (world, session) = try await playing()
        // The call fails before the supervisor reports the end.
        world.runner.fail(HostError(.extensionCrashed, "It ended during PlaybackCommand."))
        async let paused: Void = world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        world.runner.crash()
        world.runner.restart()
        try await paused
        #expect(
            world.runner.calls.count { if case .playbackCommand = $0 { true } else { false } } == 2)
        await world.finish()
    }

    @Test func stoppingWaitsForTheDeviceAndStopsIt() async throws {
        let (world, session) = try await playing()
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        async let stopped: Void = world.host.stop(session)
        world.runner.restart()
        try await stopped
        let calls = world.runner.calls
        let adopted = try #require(calls.lastIndex { if case .adoptSession = $0 { true } else { false } })
        let ended = try #require(calls.lastIndex { if case .stopSession = $0 { true } else { false } })
        #expect(adopted < ended)
        #expect(await activation(world) == .idle)
        await world.finish()
    }

    @Test func aNewPlaybackWaitsForTheDevice() async throws {
        let (world, first) = try await playing()
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        async let second = world.host.play(
            URL(string: "http://media.example/other.mp4")!, on: Self.id, application: nil, media: MediaInformation(),
            prompt: nil)
        world.runner.restart()
        let playing = try await second
        #expect(await world.host.liveSessions.map(\.id) == [playing] && playing != first)
        await world.finish()
    }

    @Test func aPlaybackThatWasJustBeginningFails() async throws {
        let silent = ScriptedRunner { call in
            guard case .activate(let device, let session, _, _) = call else { return [] }
            return [.activatedDevice(device: device.id, session: session)]
        }
        let world = HostUnderTest(silent)
        await world.discover()
        let playback = Task {
            try await world.host.play(
                URL(string: Self.film)!, on: Self.id, application: nil, media: MediaInformation(), prompt: nil)
        }
        await world.until { _ in silent.calls.contains { if case .startSession = $0 { true } else { false } } }
        world.runner.crash()
        let error = await #expect(throws: HostError.self) { _ = try await playback.value }
        #expect(error?.code == .extensionCrashed)
        #expect(world.store.sessions.withLock { $0 }.isEmpty)
        await world.until { _ in await self.activation(world) == .idle }
        await world.finish()
    }
}

extension Array {
    /// The elements after the last one for which `belongs` is false.
    fileprivate func suffix(while belongs: (Element) -> Bool) -> ArraySlice<Element> {
        self[(lastIndex { !belongs($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}

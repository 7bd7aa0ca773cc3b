import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// The daemon dies while a device is in use, and another one is started.
@Suite(.timeLimit(.minutes(1)))
struct RestartTests {
    private static let id = HostUnderTest.device.id
    private static let film = URL(string: "http://media.example/film.mp4")!
    private let script = AdoptingExtension()

    private func play(_ world: HostUnderTest, _ url: URL = film) async throws -> String {
        try await world.host.play(
            url, on: Self.id, application: nil, media: MediaInformation(title: "Film"), prompt: nil)
    }

    /// Returns the state stored by a daemon that was killed during playback.
    private func killed(_ url: URL = film) async throws -> (store: MemoryStore, session: String, files: RecordingFiles)
    {
        let world = HostUnderTest(script.runner())
        await world.discover()
        let session = try await play(world, url)
        let store = MemoryStore()
        let kept = world.store.sessions.withLock { $0 }
        store.sessions.withLock { $0 = kept }
        await world.finish()
        #expect(world.store.sessions.withLock { $0 }.isEmpty, "an orderly end leaves nothing")
        return (store, session, world.files)
    }

    @Test func whatPlayedIsTakenUpUnderTheSameName() async throws {
        let (store, session, _) = try await killed()
        let record = try #require(store.sessions.withLock { $0 }.first)
        #expect(record.token == Data("song 7".utf8))
        let world = HostUnderTest(script.runner(starts: false), store: store)
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        #expect(await world.host.devices.map(\.id) == [Self.id])
        await world.until { await $0.devices.first?.activation == .reconnecting }
        world.runner.restart()
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(await world.host.liveSessions.map(\.id) == [session])
        #expect(await world.host.liveSessions.first?.media.title == "Film")
        #expect(!world.runner.calls.contains { if case .startSession = $0 { true } else { false } })
        await world.until { await $0.devices.first?.activation == .active }
        let next = try await play(world)
        #expect(Int(next)! > Int(session)!)
        await world.finish()
    }

    @Test func everythingIsThereBeforeAnybodyLooks() async throws {
        let (store, session, _) = try await killed()
        let runner = script.runner(starts: false)
        let host = MediaHost(
            runner: runner, discovery: SilentDiscovery(), files: RecordingFiles(),
            samples: RecordingDeliveries(), store: store, network: { "home" }, report: { _ in })
        await host.prepare()
        #expect(await host.liveSessions.map(\.id) == [session])
        #expect(await host.liveSessions.map(\.state) == [.reconnecting])
        #expect(await !host.isIdle)
        #expect(runner.reasons == ["route:" + Self.id])
    }

    @Test func aLocalFileIsServedAgainUnderItsAddress() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "song.mp3")
        try Data("ID3".utf8).write(to: file)
        let (store, session, files) = try await killed(file)
        let world = HostUnderTest(script.runner(), store: store)
        await world.until { await $0.liveSessions.first?.state == .active }
        let served = files.served.withLock { $0 }
        #expect(world.files.resumed.withLock { $0 } == served)
        try await world.host.stop(session)
        #expect(world.files.withdrawn.withLock { $0 } == served)
        #expect(store.sessions.withLock { $0 }.isEmpty)
        await world.finish()
    }

    @Test func whatIsOverIsToldAsEnded() async throws {
        let (store, session, _) = try await killed()
        script.adoption = .isOver
        let world = HostUnderTest(script.runner(), store: store)
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        await world.until { await $0.devices.first?.activation == .idle }
        #expect(await world.states(of: session) == [.reconnecting, .ended])
        #expect(store.sessions.withLock { $0 }.isEmpty)
        await world.finish()
    }

    @Test func aDeviceThatIsOffIsLookedForAndGivenUpInTheEnd() async throws {
        let (store, session, _) = try await killed()
        script.activation = HostError(.unreachable, "It is off.")
        var timing = HostTiming.withoutLingering
        timing.recovery = .seconds(1)
        let world = HostUnderTest(script.runner(), timing: timing, store: store)
        await world.until { _ in world.runner.calls.contains(.startDeviceDiscovery) }
        await world.until { _ in world.runner.calls.contains(.stopDeviceDiscovery) }
        // None is there before the records are read, either.
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        #expect(await world.states(of: session) == [.reconnecting, .failed])
        await world.until { await $0.isIdle }
        await world.finish()
    }

    @Test func anExtensionThatIsGoneIsSaid() async throws {
        let (store, session, _) = try await killed()
        let runner = ScriptedRunner(identifier: "org.example.other") { _ in [] }
        let world = HostUnderTest(runner, store: store)
        // None is there before the records are read, either.
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        #expect(await world.states(of: session) == [.reconnecting, .failed])
        await world.finish()
    }

    @Test func handingOverStopsNothing() async throws {
        let world = HostUnderTest(script.runner())
        await world.discover()
        _ = try await play(world)
        await world.host.handOver()
        await world.finish()
        #expect(!world.runner.calls.contains { if case .stopSession = $0 { true } else { false } })
        #expect(!world.runner.calls.contains { if case .deactivate = $0 { true } else { false } })
        #expect(world.store.sessions.withLock { $0 }.count == 1)
    }

    @Test func aStoppedSessionDoesNotComeBack() async throws {
        let world = HostUnderTest(script.runner())
        await world.discover()
        try await world.host.stop(try await play(world))
        #expect(world.store.sessions.withLock { $0 }.isEmpty)
        await world.finish()
    }
}

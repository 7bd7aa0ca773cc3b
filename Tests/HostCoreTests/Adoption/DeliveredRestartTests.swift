import Foundation
import HostInterface
import LinkProtocol
import MediaReading
import Synchronization
import Testing

@testable import HostCore

/// The daemon dies while it delivers a medium to a device that takes samples only, and another one is started.
@Suite(.timeLimit(.minutes(1)))
struct DeliveredRestartTests {
    private static let id = HostUnderTest.device.id
    private static let url = URL(string: "http://media.example/a.mp3")!
    private static let song = MediaFacts(duration: 100, title: "Song", isSeekable: true)

    private struct NoReaders: MediaReaders {
        func start(_ request: ReaderRequest, on socket: ReaderSocket, for identifier: String) async {}
    }

    private func world(_ store: MemoryStore = MemoryStore(), starts: Bool = true) -> HostUnderTest {
        HostUnderTest(
            ScriptedRunner(starts: starts, handlesRealtimeSamples: true) { call in
                guard case .activate(let device, let session, _, _) = call else { return [] }
                return [.activatedDevice(device: device.id, session: session)]
            }, readers: NoReaders(), store: store)
    }

    private func begun(_ world: HostUnderTest) async throws -> RecordingDeliveries.Media {
        await world.until { _ in world.samples.media.withLock { !$0.isEmpty } }
        return try #require(world.samples.media.withLock { $0.last })
    }

    private func position(_ seconds: Double, isPlaying: Bool = true) -> MediaPosition {
        MediaPosition(
            seconds: seconds, time: UInt64(MonotonicTime.now * 1e9), isPlaying: isPlaying, isWaiting: false)
    }

    private func playing(
        _ world: HostUnderTest, _ facts: MediaFacts, at position: MediaPosition
    ) async throws -> String {
        var speaker = HostUnderTest.device
        speaker.capabilities = [.realtimeAudio]
        await world.discover(speaker)
        async let started = world.host.play(
            Self.url, on: Self.id, application: nil, media: MediaInformation(), prompt: nil)
        let delivery = try await begun(world)
        delivery.report.yield(.opened(facts, self.position(0)))
        let session = try await started
        delivery.report.yield(.position(position))
        await world.until { await $0.liveSessions.first?.playback.position.value == position.seconds }
        await world.until { _ in
            world.store.sessions.withLock { $0.first?.delivered?.seconds } == position.seconds
        }
        return session
    }

    /// Returns the state stored by a daemon that was killed during playback.
    private func killed(
        _ facts: MediaFacts = song, at position: MediaPosition
    ) async throws -> (store: MemoryStore, session: String) {
        let world = world()
        let session = try await playing(world, facts, at: position)
        let store = MemoryStore()
        let kept = world.store.sessions.withLock { $0 }
        store.sessions.withLock { $0 = kept }
        await world.finish()
        #expect(world.store.sessions.withLock { $0.isEmpty }, "an orderly end leaves nothing")
        return (store, session)
    }

    @Test func theNextDaemonContinuesWhereItWouldBe() async throws {
        let (store, session) = try await killed(at: position(20))
        let world = world(store)
        let delivery = try await begun(world)
        let start = try #require(delivery.media.startPosition)
        #expect((20..<80).contains(start))
        #expect(await world.host.liveSessions.map(\.state) == [.reconnecting])
        delivery.report.yield(.opened(Self.song, position(start)))
        await world.until { await $0.liveSessions.first?.state == .active }
        let live = try await world.host.session(session)
        #expect(live.takesSamples && live.playback.isPlaying && live.playback.title == "Song")
        #expect(live.playback.position.value == start && live.playback.canSeek)
        #expect(delivery.connections.withLock { $0 } == 1 && delivery.commands.withLock { $0.isEmpty })
        #expect(!world.runner.calls.contains { $0.member == .adoptSession || $0.member == .startSession })
        try await world.host.stop(session)
        #expect(delivery.isEnded.withLock { $0 } && store.sessions.withLock { $0.isEmpty })
        await world.finish()
    }

    @Test func aPausedOneStaysPaused() async throws {
        let (store, session) = try await killed(at: position(30, isPlaying: false))
        let world = world(store)
        let delivery = try await begun(world)
        #expect(delivery.media.startPosition == 30)
        delivery.report.yield(.opened(Self.song, position(30, isPlaying: false)))
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(delivery.commands.withLock { $0 } == [.playing(false)])
        #expect(try await !world.host.session(session).playback.isPlaying)
        await world.finish()
    }

    @Test func whatWouldBeOverIsOver() async throws {
        let (store, session) = try await killed(at: position(100))
        let world = world(store)
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        #expect(await world.states(of: session) == [.reconnecting, .ended])
        #expect(world.samples.media.withLock { $0.isEmpty } && store.sessions.withLock { $0.isEmpty })
        await world.finish()
    }

    @Test func aRadioBeginsAnew() async throws {
        let radio = MediaFacts(isSeekable: false)
        let (store, session) = try await killed(radio, at: position(20))
        let world = world(store)
        let delivery = try await begun(world)
        #expect(delivery.media.startPosition == nil)
        delivery.report.yield(.opened(radio, position(0)))
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(await world.host.liveSessions.map(\.id) == [session])
        await world.finish()
    }

    @Test func aMediumWithoutSeekingSaysSo() async throws {
        let (store, session) = try await killed(MediaFacts(duration: 100, isSeekable: false), at: position(20))
        let world = world(store)
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        #expect(await world.states(of: session) == [.reconnecting, .failed])
        #expect(await world.host.devices.first?.lastError?.message.contains("can't seek") == true)
        await world.finish()
    }

    @Test func mediaThatIsGoneSaysSo() async throws {
        let (store, session) = try await killed(at: position(20))
        let world = world(store)
        let delivery = try await begun(world)
        delivery.report.yield(.over(.failure(HostError(.unreachableURL, "The media cannot be read: gone."))))
        await world.until { _ in await world.states(of: session).last?.isOver == true }
        #expect(await world.states(of: session) == [.reconnecting, .failed])
        let error = await world.host.devices.first?.lastError
        #expect(error?.message.hasSuffix("The media cannot be read: gone.") == true, "\(error?.message ?? "none")")
        #expect(store.sessions.withLock { $0.isEmpty })
        await world.finish()
    }

    @Test func aCommandWaitsForTheNextDelivery() async throws {
        let (store, session) = try await killed(at: position(20))
        let world = world(store, starts: false)
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        let command = Task { try await world.host.command(PlaybackCommand(.seek, number: 50), session: session) }
        world.runner.restart()
        let delivery = try await begun(world)
        delivery.report.yield(.opened(Self.song, position(20)))
        try await command.value
        #expect(delivery.commands.withLock { $0 } == [.seek(50)])
        #expect(!world.runner.calls.contains { $0.member == .playbackCommand })
        await world.finish()
    }

    @Test func handingOverLeavesTheRecord() async throws {
        let world = world()
        let session = try await playing(world, Self.song, at: position(20))
        await world.host.handOver()
        await world.finish()
        #expect(world.store.sessions.withLock { $0.map(\.id) } == [session])
    }

    /// Each write goes to the disk.
    @Test func onlyWhatDoesNotFollowIsStored() throws {
        func place(_ seconds: Double, at time: Double, isMoving: Bool = true) -> DeliveredPlace {
            DeliveredPlace(
                seconds: seconds, time: time, isPlaying: true, isMoving: isMoving, duration: 100, isSeekable: true,
                latency: nil)
        }
        #expect(place(10, at: 5).foretells(place(12, at: 7.1)))
        #expect(!place(10, at: 5).foretells(place(12, at: 8)))
        #expect(!place(10, at: 5).foretells(place(12, at: 7, isMoving: false)))
        #expect(place(10, at: 5, isMoving: false).foretells(place(10, at: 50, isMoving: false)))
        // The clock of a computer that was started again.
        #expect(try place(10, at: 5_000).resumption(at: 3) == 10)
    }
}

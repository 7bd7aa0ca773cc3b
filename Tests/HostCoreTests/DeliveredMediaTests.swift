import DBus
import Foundation
import Glibc
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore
@testable import MediaReading

/// Files and URLs for a device that takes samples only.
@Suite(.timeLimit(.minutes(1)))
struct DeliveredMediaTests {
    private final class Readers: MediaReaders {
        let requests = Mutex<[ReaderRequest]>([])

        func start(_ request: ReaderRequest, on socket: ReaderSocket, for identifier: String) async {
            requests.withLock { $0.append(request) }
        }
    }

    private static let id = HostUnderTest.device.id
    private static let url = URL(string: "http://media.example/a.mp3")!
    private static let facts = MediaFacts(
        duration: 100, title: "Song", artist: "Singer", album: "Album", isSeekable: true)
    private static let begin = MediaPosition(seconds: 0, time: 7_000_000_000, isPlaying: true, isWaiting: false)

    private static let willing = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        switch call {
        case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
        case .stopSampleDelivery(let session): [.reportQuality(session: session, thresholdsMet: true)]
        default: []
        }
    }

    private let readers = Readers()

    private func world(
        clock: any Clock<Duration> = ContinuousClock(),
        _ script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage] = willing
    ) async -> HostUnderTest {
        let world = HostUnderTest(
            ScriptedRunner(handlesRealtimeSamples: true, script: script), readers: readers, clock: clock)
        var speaker = HostUnderTest.device
        speaker.capabilities = [.realtimeAudio]
        await world.discover(speaker)
        return world
    }

    private func begun(_ world: HostUnderTest) async throws -> RecordingDeliveries.Media {
        await world.until { _ in world.samples.media.withLock { !$0.isEmpty } }
        return try #require(world.samples.media.withLock { $0.last })
    }

    /// Plays, with media that opens.
    private func play(
        _ world: HostUnderTest, _ information: MediaInformation = MediaInformation(),
        _ facts: MediaFacts = Self.facts
    ) async throws -> (session: String, delivery: RecordingDeliveries.Media) {
        async let started = world.host.play(
            Self.url, on: Self.id, application: nil, media: information, prompt: nil)
        let delivery = try await begun(world)
        delivery.report.yield(.opened(facts, Self.begin))
        return (try await started, delivery)
    }

    private func failingPlay(_ world: HostUnderTest) -> Task<String, any Error> {
        Task {
            try await world.host.play(
                Self.url, on: Self.id, application: nil, media: MediaInformation(), prompt: nil)
        }
    }

    /// The calls of a delivery, in order.
    private func calls(_ world: HostUnderTest) -> [ExtensionCall.Member] {
        world.runner.calls.map(\.member).filter {
            [.activate, .startSession, .startSampleDelivery, .stopSampleDelivery, .stopSession, .deactivate].contains(
                $0)
        }
    }

    private func link(_ world: HostUnderTest) throws -> String {
        try #require(
            world.runner.calls.compactMap {
                if case .startSampleDelivery(let session, _, _) = $0 { session } else { nil }
            }.last)
    }

    @Test func theHostReadsAndDeliversWhatTheDeviceCannotOpen() async throws {
        let world = await world()
        let (session, delivery) = try await play(world, MediaInformation(startPosition: 20))
        #expect(delivery.media.startPosition == 20)
        #expect(delivery.media.format == (try SampleFormat(encoding: "s16le", rate: 44_100, channels: 2)))
        close(try delivery.media.source.open())
        await world.until { _ in !self.readers.requests.withLock(\.isEmpty) }
        #expect(self.readers.requests.withLock { $0 } == [ReaderRequest(address: Self.url.absoluteString)])
        let playing = try await world.host.session(session)
        #expect(playing.state == .active && playing.media.isLiveSound != true)
        #expect(playing.playback.isPlaying && playing.playback.isReady && !playing.playback.isLive)
        #expect(playing.playback.canSeek && playing.playback.timeRange.duration == 100)
        #expect(playing.playback.title == "Song" && playing.playback.subtitle == "Singer · Album")
        #expect(playing.playback.position == .init(value: 0, hostTime: 7, rate: 1))
        try await world.host.stop(session)
        #expect(calls(world) == [.activate, .startSampleDelivery, .stopSampleDelivery, .deactivate])
        #expect(delivery.isEnded.withLock { $0 })
        #expect(await world.lastEnding(of: session) == .stopped)
        await world.finish()
    }

    @Test func theExtensionIsToldOfTheMedium() async throws {
        let world = await world()
        _ = try await play(world, MediaInformation(title: "Own", startPosition: 20))
        let told = world.runner.calls.compactMap {
            if case .startSampleDelivery(_, _, let information) = $0 { information } else { nil }
        }
        #expect(told.map(\.title) == ["Own"] && told.map(\.artist) == ["Singer"] && told.map(\.duration) == [100])
        #expect(told.map(\.startPosition) == [nil], "the samples begin there")
        await world.finish()
    }

    @Test func aFileIsServedToTheReader() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).wav")
        try Data("RIFF".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let world = await world()
        async let started = world.host.play(
            file, on: Self.id, application: nil, media: MediaInformation(), prompt: nil)
        let delivery = try await begun(world)
        delivery.report.yield(.opened(Self.facts, Self.begin))
        let session = try await started
        #expect(world.files.admitted.withLock { Array($0.values) } == [["127.0.0.1"]])
        try await world.host.stop(session)
        #expect(world.files.withdrawn.withLock { $0.count } == 1)
        await world.finish()
    }

    @Test func commandsAreTheHosts() async throws {
        let world = await world()
        let (session, delivery) = try await play(world)
        try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        try await world.host.command(PlaybackCommand(.seek, number: 30), session: session)
        try await world.host.command(PlaybackCommand(.setPlaying, flag: true), session: session)
        #expect(delivery.commands.withLock { $0 } == [.playing(false), .seek(30), .playing(true)])
        let refused = await #expect(throws: HostError.self) {
            try await world.host.command(PlaybackCommand(.setPlaybackSpeed, number: 2), session: session)
        }
        #expect(refused?.code == .notSupported)
        #expect(!world.runner.calls.contains { $0.member == .playbackCommand })
        delivery.report.yield(
            .position(MediaPosition(seconds: 30, time: 9_000_000_000, isPlaying: false, isWaiting: false)))
        await world.until { await $0.liveSessions.first?.playback.isPlaying == false }
        #expect(try await world.host.session(session).playback.position == .init(value: 30, hostTime: 9, rate: 0))
        await world.finish()
    }

    @Test func aRadioCannotBeSoughtIn() async throws {
        let world = await world()
        let (session, delivery) = try await play(world, MediaInformation(), MediaFacts(isSeekable: false))
        let playing = try await world.host.session(session).playback
        #expect(playing.isLive && !playing.canSeek)
        let refused = await #expect(throws: HostError.self) {
            try await world.host.command(PlaybackCommand(.seek, number: 30), session: session)
        }
        #expect(refused?.code == .notSupported && delivery.commands.withLock(\.isEmpty))
        await world.finish()
    }

    /// The listener hears it later by what the device needs.
    @Test func positionsAreTheListeners() async throws {
        let world = await world()
        let (session, _) = try await play(world)
        world.runner.emit(.message(.measureQuality(session: try link(world), quality: DeliveryQuality(latency: 1.5))))
        await world.until { await $0.liveSessions.first?.quality?.latency == 1.5 }
        #expect(try await world.host.session(session).playback.position == .init(value: 0, hostTime: 8.5, rate: 1))
        await world.finish()
    }

    @Test func waitingForDataIsShown() async throws {
        let world = await world()
        let (session, delivery) = try await play(world)
        delivery.report.yield(
            .position(MediaPosition(seconds: 3, time: 9_000_000_000, isPlaying: true, isWaiting: true)))
        await world.until { await $0.liveSessions.first?.playback.isBuffering == true }
        #expect(try await world.host.session(session).playback.position.rate == 0)
        await world.finish()
    }

    @Test func theEndComesOnceAndAfterTheLatency() async throws {
        let clock = ManualClock()
        let world = await world(clock: clock)
        let (session, delivery) = try await play(world)
        delivery.report.yield(.over(.success(())))
        while await !world.host.liveSessions.isEmpty { clock.advance(by: .milliseconds(100)) }
        #expect(clock.now.offset >= .seconds(2))
        #expect(await world.lastEnding(of: session) == .finished)
        #expect(await world.states(of: session) == [.starting, .active, .ended])
        await world.until { _ in calls(world).contains(.deactivate) }
        #expect(calls(world) == [.activate, .startSampleDelivery, .stopSampleDelivery, .deactivate])
        await world.finish()
    }

    @Test func mediaThatCannotBeOpenedFailsAndTheExtensionHearsOfNothing() async throws {
        let world = await world()
        let started = failingPlay(world)
        let delivery = try await begun(world)
        delivery.report.yield(.over(.failure(HostError(.unreachableURL, "The media cannot be read: 404."))))
        let error = await #expect(throws: HostError.self) { _ = try await started.value }
        #expect(error == HostError(.unreachableURL, "The media cannot be read: 404."))
        await world.until { await $0.devices.first?.activation == .idle }
        #expect(calls(world) == [.activate, .deactivate])
        #expect(delivery.isEnded.withLock { $0 })
        await world.finish()
    }

    @Test func mediaThatDoesNotOpenIsStopped() async throws {
        let world = await world()
        let started = failingPlay(world)
        let delivery = try await begun(world)
        let session = try #require(await world.host.liveSessions.first?.id)
        try await world.host.stop(session)
        let error = await #expect(throws: HostError.self) { _ = try await started.value }
        #expect(error?.code == .cancelled && delivery.isEnded.withLock { $0 })
        #expect(calls(world) == [.activate, .deactivate])
        await world.finish()
    }

    @Test func mediaThatDoesNotOpenInTimeFails() async throws {
        let clock = ManualClock()
        let world = await world(clock: clock)
        let started = failingPlay(world)
        let delivery = try await begun(world)
        while !delivery.isEnded.withLock({ $0 }) {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        let error = await #expect(throws: HostError.self) { _ = try await started.value }
        #expect(error?.code == .timedOut)
        #expect(calls(world).prefix(2) == [.activate, .deactivate])
        await world.finish()
    }

    @Test func anErrorLaterFailsTheSession() async throws {
        let world = await world()
        let (session, delivery) = try await play(world)
        delivery.report.yield(.over(.failure(HostError(.unreachableURL, "The media cannot be read: gone."))))
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session) == [.starting, .active, .failed])
        #expect(await world.host.devices.first?.lastError?.code == .unreachableURL)
        await world.finish()
    }

    @Test func theNextProcessGetsTheRest() async throws {
        let world = await world()
        let (session, delivery) = try await play(world)
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        world.runner.restart()
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(await world.host.liveSessions.map(\.id) == [session])
        #expect(delivery.connections.withLock { $0 } == 2 && !delivery.isEnded.withLock { $0 })
        #expect(try await world.host.session(session).playback.timeRange.duration == 100)
        await world.finish()
    }

    /// Its reader would keep the daemon that is replaced waiting.
    @Test func aDaemonThatIsReplacedEndsIt() async throws {
        let world = await world()
        let (_, delivery) = try await play(world)
        await world.host.handOver()
        await world.finish()
        #expect(delivery.isEnded.withLock { $0 })
    }

    /// A control object of the extension pauses, and sets the volume; the position stays the host's.
    @Test func aControlObjectIsAsked() async throws {
        let world = await world { call in
            guard case .startSampleDelivery(let session, _, _) = call else { return Self.willing(call) }
            var state = PlaybackState()
            state.isPlaying = true
            state.volume = 0.5
            state.unsupported = [.playbackSpeed]
            return [.started(session: session, application: "", state: state)]
        }
        let (session, delivery) = try await play(world)
        await world.until { await $0.liveSessions.first?.hasControl == true }
        let playing = try await world.host.session(session).playback
        #expect(playing.volume == 0.5 && playing.supports(.volume) && !playing.supports(.playbackSpeed))
        #expect(playing.timeRange.duration == 100 && playing.title == "Song")
        try await world.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        try await world.host.command(PlaybackCommand(.seek, number: 30), session: session)
        #expect(world.runner.calls.filter { $0.member == .playbackCommand }.count == 1)
        world.runner.emit(.message(.playbackChanged(session: try link(world), state: PlaybackState())))
        await world.until { _ in delivery.commands.withLock { $0 } == [.playing(false), .seek(30), .playing(false)] }
        await world.finish()
    }
}

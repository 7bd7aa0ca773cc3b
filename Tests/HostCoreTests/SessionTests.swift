import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct SessionTests {
    private static let id = HostUnderTest.device.id
    private static let film = URL(string: "http://media.example/film.mp4")!

    /// An extension that activates every device and plays all media.
    private static let willing = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        switch call {
        case .activate(let device, let session, _, _):
            return [.activatedDevice(device: device.id, session: session)]
        case .startSession(let session, _, _, let media):
            var state = PlaybackState()
            state.isReady = true
            state.isPlaying = true
            state.title = media.title
            state.timeRange.duration = 60
            return [.started(session: session, application: "", state: state)]
        default: return []
        }
    }

    private func play(_ world: HostUnderTest, _ url: URL = film) async throws -> String {
        try await world.host.play(url, on: Self.id, application: nil, media: MediaInformation(), prompt: nil)
    }

    private var linkSession: (HostUnderTest) -> String? {
        { world in
            world.runner.calls.compactMap { if case .startSession(let session, _, _, _) = $0 { session } else { nil } }
                .last
        }
    }

    @Test func playsAndLetsTheDeviceGoWhenItEnds() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let session = try await play(world)
        #expect(try await world.host.session(session).state == .active)
        world.runner.emit(.message(.sessionEnded(session: linkSession(world)!, ending: nil)))
        await world.until { await $0.liveSessions.isEmpty }
        await world.until { await $0.devices.first?.activation == .idle }
        #expect(!world.runner.reasons.contains("route:" + Self.id))
        await world.finish()
    }

    /// The device's report decides, whatever the last position was.
    @Test(
        arguments: [
            (ReportedEnding.finished, SessionEnding.finished), (.interrupted, .interrupted), (nil, nil),
        ] as [(ReportedEnding?, SessionEnding?)])
    func theDevicesOwnWordForTheEndCounts(told: ReportedEnding?, shown: SessionEnding?) async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let session = try await play(world)
        var state = PlaybackState()
        state.isPlaying = false
        state.timeRange.duration = 60
        let id = try #require(linkSession(world))
        world.runner.emit(.message(.playbackChanged(session: id, state: state)))
        world.runner.emit(.message(.sessionEnded(session: id, ending: told)))
        #expect(await world.lastEnding(of: session) == shown)
        await world.finish()
    }

    /// A start that takes too long has failed for the person, and must not begin to play afterwards.
    @Test func whatDoesNotStartInTimeIsStopped() async throws {
        var timing = HostTiming.withoutLingering
        timing.sessionStart = .milliseconds(50)
        let runner = ScriptedRunner { call in
            guard case .activate(let device, let session, _, _) = call else { return [] }
            return [.activatedDevice(device: device.id, session: session)]
        }
        let world = HostUnderTest(runner, timing: timing)
        await world.discover()
        // An app's own use of the device keeps the way to it open.
        try await world.host.activate(Self.id, holder: "app", prompt: nil)
        let error = await #expect(throws: HostError.self) { try await play(world) }
        #expect(error?.code == .timedOut)
        let session = try #require(linkSession(world))
        #expect(runner.calls.contains(.stopSession(session: session)))
        await world.finish()
    }

    @Test func aLocalFileIsServedWhileItPlaysAndGoneAfterwards() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "song.mp3")
        try Data("ID3".utf8).write(to: file)
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let session = try await play(world, file)
        let served = world.files.served.withLock { $0 }
        #expect(served.count == 1)
        #expect(world.files.admitted.withLock { $0.values.map(\.self) } == [["10.0.0.5"]])
        #expect(
            world.runner.calls.contains {
                if case .startSession(_, _, let url, let media) = $0 {
                    url == served[0].url.absoluteString && media.contentType == "audio/mpeg" && media.title == nil
                } else {
                    false
                }
            })
        try await world.host.stop(session)
        #expect(world.files.withdrawn.withLock { $0 } == served)
        await world.finish()
    }

    /// Its extension reads the media here and sends samples.
    @Test func aFileForADeviceThatTakesSamplesIsServedToThisMachine() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp3")
        try Data("ID3".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var speaker = HostUnderTest.device
        speaker.capabilities = .realtimeAudio
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover(speaker)
        _ = try await play(world, file)
        #expect(world.files.admitted.withLock { $0.values.map(\.self) } == [["127.0.0.1"]])
        await world.finish()
    }

    @Test func whatIsToldOfTheSoundsWayIsShown() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let session = try await play(world)
        #expect(try await world.host.session(session).quality == nil)
        let link = try #require(
            world.runner.calls.compactMap { call in
                if case .startSession(let link, _, _, _) = call { link } else { nil }
            }.first)
        let quality = DeliveryQuality(packetsSent: 900, packetsLost: 3, packetsResent: 2, latency: 2)
        world.runner.emit(.message(.measureQuality(session: link, quality: quality)))
        await world.until { (try? await $0.session(session))?.quality == quality }
        try await world.host.stop(session)
        await world.finish()
    }

    /// No reader would be left for the rest.
    @Test func aStreamIsServedAndNotRemembered() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let session = try await world.host.play(
            .stream(OpenStream(descriptor: open("/dev/zero", O_RDONLY))), on: HostUnderTest.device.id,
            application: nil, media: MediaInformation(), prompt: nil)
        #expect(world.files.admitted.withLock { $0.values.map(\.self) } == [["10.0.0.5"]])
        #expect(try await world.host.session(session).source == "stream:")
        #expect(
            world.runner.calls.contains {
                if case .startSession(_, _, "http://10.0.0.1:8200/token/stream.wav", let media) = $0 {
                    media.contentType == "audio/wav"
                } else {
                    false
                }
            })
        #expect(try await world.store.adoptableSessions().isEmpty)
        try await world.host.stop(session)
        #expect(world.files.withdrawn.withLock { $0.count } == 1)
        await world.finish()
    }

    @Test func stoppingLetsTheDeviceGo() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        try await world.host.stop(try await play(world))
        #expect(await world.host.devices.first?.activation == .idle)
        #expect(world.runner.calls.contains { if case .deactivate = $0 { true } else { false } })
        await world.finish()
    }

    @Test func aMissingFileNeverTouchesTheDevice() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let error = await #expect(throws: HostError.self) { try await play(world, URL(filePath: "/nowhere/x.mp3")) }
        #expect(error?.code == .fileNotFound)
        #expect(!world.runner.calls.contains { if case .activate = $0 { true } else { false } })
        await world.finish()
    }

    @Test func aSecondPlaybackTakesThePlaceOfTheFirst() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        let first = try await play(world)
        let second = try await play(world)
        #expect(await world.host.liveSessions.map(\.id) == [second])
        await #expect(throws: HostError.self) { try await world.host.session(first) }
        #expect(world.runner.calls.count { if case .activate = $0 { true } else { false } } == 1)
        await world.finish()
    }

    @Test func aRefusedPlaybackKeepsTheDevicesOwnWords() async throws {
        let world = HostUnderTest(
            ScriptedRunner { call in
                guard case .startSession(let session, _, _, _) = call else { return Self.willing(call) }
                return [
                    .sessionFailed(session: session, error: HostError(.unsupportedFormat, "714: illegal MIME type"))
                ]
            })
        await world.discover()
        await #expect(throws: HostError(.unsupportedFormat, "714: illegal MIME type")) { try await play(world) }
        #expect(await world.host.liveSessions.isEmpty)
        await world.until { await $0.devices.first?.activation == .idle }
        await world.finish()
    }

    @Test func stateBeforeTheStartIsTheOldPlaybacksEcho() async throws {
        let world = HostUnderTest(
            ScriptedRunner { call in
                guard case .startSession(let session, _, _, _) = call else { return Self.willing(call) }
                var echo = PlaybackState()
                echo.title = "old"
                return [.playbackChanged(session: session, state: echo), .sessionEnded(session: session, ending: nil)]
                    + Self.willing(call)
            })
        await world.discover()
        let session = try await play(world)
        #expect(try await world.host.session(session).playback.title == nil)
        #expect(try await world.host.session(session).state == .active)
        await world.finish()
    }

    @Test func relativeVolumeReadsBeforeItWrites() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        world.runner.setVolume((0.98, false))
        try await world.host.changeVolume(by: 1, device: Self.id, prompt: nil)
        #expect(world.runner.calls.contains(.setVolume(device: Self.id, level: 1)))
        #expect(await world.host.devices.first?.level == 1)
        await world.finish()
    }

    @Test func playingNeverSendsALevel() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        _ = try await play(world)
        #expect(!world.runner.calls.contains { if case .setVolume = $0 { true } else { false } })
        await world.finish()
    }

    @Test func mutingWhatIsMutedDoesNothing() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.willing))
        await world.discover()
        world.runner.setVolume((0.5, true))
        try await world.host.setMuted(true, device: Self.id, prompt: nil)
        #expect(!world.runner.calls.contains(.muteDevice(device: Self.id)))
        try await world.host.setMuted(false, device: Self.id, prompt: nil)
        #expect(world.runner.calls.contains(.muteDevice(device: Self.id)))
        await world.finish()
    }
}

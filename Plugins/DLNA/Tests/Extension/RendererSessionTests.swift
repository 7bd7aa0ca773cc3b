import DeviceConnections
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
@MainActor
final class RendererSessionTests {
    private typealias Control = any AVPlaybackUserInterfaceControllable

    private let room: RendererRoom
    private var system: TestSystem<DLNAExtension> { room.system }
    private var fake: FakeRenderer { room.fake }
    private var clock: ManualTime { room.clock }
    private var reports: [String] { room.reports }
    private var failure: ReportedError? { room.failure }

    init() throws { room = try RendererRoom() }

    /// Starts playback on the renderer.
    private func start(
        _ url: String = "http://192.0.2.1/a%20tone.mp3", _ information: MediaOutputSession.MediaInformation? = nil,
        formats: String = "http-get:*:audio/mpeg:*"
    ) async throws -> TestSession<DLNAExtension> {
        fake.change { $0.sink = formats }
        let session = try await room.activate()
        session.start(try #require(URL(string: url)), information: information)
        return session
    }

    /// A session that plays, and its control.
    private func playing() async throws -> (TestSession<DLNAExtension>, Control) {
        let session = try await start()
        await eventually("it started") { reports == ["started"] && clock.nextPause == .seconds(1) }
        try apply(TransportChange(state: .playing, uri: "http://192.0.2.1/a%20tone.mp3", duration: 30))
        let control = try #require(session.control)
        await eventually("it shows that") { control.isReady && control.timeRange.duration.seconds == 30 }
        return (session, control)
    }

    /// An event of the renderer.
    private func apply(_ change: TransportChange) throws { try room.player.handle(.transport(change)) }

    @Test func offersTheMediaThenPlays() async throws {
        fake.change {
            $0.headAnswer = DeviceAnswer(
                status: 200,
                headers: [
                    "content-type": "audio/mpeg", "accept-ranges": "bytes", "content-length": "721650",
                ])
        }
        let session = try await start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.calls.filter { !$0.hasPrefix("Get") } == ["HEAD", "SetAVTransportURI", "Play"])
        let item = try MediaItem(parsing: fake.now.metadata)
        #expect(item.title == "a tone")
        #expect(item.resource?.uri == "http://192.0.2.1/a%20tone.mp3")
        #expect(item.resource?.size == 721_650)
        #expect(item.resource?.protocolInfo.hasPrefix("http-get:*:audio/mpeg:DLNA.ORG_OP=01;") == true)
        let control = try #require(session.control)
        #expect(control.isPlaying)
        #expect(control.isReady)
        #expect(control.volume == 0.2)
        #expect(control.metadata.videoProperties == nil)
        #expect(fake.count("SetVolume") == 0)
    }

    @Test func tellsVideoFromSound() async throws {
        let information = MediaOutputSession.MediaInformation(contentType: "video/mp4")
        let session = try await start("http://192.0.2.1/x", information, formats: "http-get:*:video/mp4:*")
        await eventually("it started") { reports == ["started"] }
        #expect(session.control?.metadata.videoProperties != nil)
    }

    /// A device can send unreadable events faster than it answers questions.
    @Test func manyUnreadableEventsCauseFewQuestions() async throws {
        _ = try await playing()
        let player = try room.player
        let before = fake.count("GetVolume")
        for _ in 0..<1000 { player.handle(.resynchronize) }
        await eventually("it was asked") { fake.count("GetVolume") > before }
        for _ in 0..<1000 { player.handle(.resynchronize) }
        await eventually("it was asked again") { fake.count("GetVolume") > before + 1 }
        #expect(fake.count("GetVolume") <= before + 3 && fake.count("GetTransportInfo") < 20)
    }

    @Test func stopsWhatPlayedBefore() async throws {
        fake.change { $0.transport = "PLAYING" }
        let session = try await start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.calls.filter { !$0.hasPrefix("Get") } == ["HEAD", "Stop", "SetAVTransportURI", "Play"])
        #expect(session.control?.metadata.title == "a tone")
    }

    @Test func tellsTheDeviceWhatTheAppKnows() async throws {
        let information = MediaOutputSession.MediaInformation(
            title: "Tom & Jerry", artist: "Ünal", artworkURL: URL(string: "http://192.0.2.1/a.png"),
            contentType: "audio/mpeg", duration: 90, startPosition: 12)
        let session = try await start("http://192.0.2.1/x", information)
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("HEAD") == 0)
        let item = try MediaItem(parsing: fake.now.metadata)
        #expect(item.title == "Tom & Jerry")
        #expect(item.artist == "Ünal")
        #expect(item.resource?.duration == 90)
        let control = try #require(session.control)
        #expect(control.metadata.title == "Tom & Jerry")
        #expect(control.metadata.subtitle == "Ünal")
        #expect(control.metadata.artworkRepresentations.count == 1)
        await eventually("it went to where it was to start") { fake.now.position == "0:00:12" }
    }

    @Test func insistsOnTheStartPosition() async throws {
        let session = try await start("http://192.0.2.1/x.mp3", .init(startPosition: 12))
        await eventually("it went to where it was to start") { fake.now.position == "0:00:12" }
        // It confirmed that, and plays from the beginning all the same.
        fake.change { $0.position = "0:00:01" }
        await eventually("it is sent there again") {
            if let pause = clock.nextPause, pause <= .seconds(1) { clock.advance(by: pause) }
            return fake.count("Seek") >= 2 && fake.now.position == "0:00:12"
        }
        _ = session
    }

    @Test func refusesAFormatTheDeviceDoesNotList() async throws {
        _ = try await start(formats: "http-get:*:audio/wav:*,http-get:*:audio/flac:*")
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.code == "unsupported-format")
        #expect(failure?.message == "Kitchen does not play audio/mpeg. It takes audio/wav, audio/flac.")
        #expect(fake.count("SetAVTransportURI") == 0)
    }

    @Test(arguments: [
        (714, MediaDeviceError.Detail.unsupportedFormat), (716, .unreachableURL), (602, .notSupported),
        (718, .deviceRefused),
    ])
    func tellsWhyTheDeviceRefused(code: Int, detail: MediaDeviceError.Detail) async throws {
        fake.change { $0.failures["SetAVTransportURI"] = [.fault(UPnPFault(code: code))] }
        _ = try await start()
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.code == detail.rawValue)
        #expect(failure?.message == UPnPFault(code: code).sentence)
    }

    @Test func tellsThatTheMediaIsNotThere() async throws {
        fake.change { $0.headAnswer = DeviceAnswer(status: 404) }
        _ = try await start()
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.code == "unreachable-url")
        #expect(fake.count("SetAVTransportURI") == 0)
    }

    @Test func playsOnlyHTTP() async throws {
        _ = try await start("ftp://192.0.2.1/a.mp3")
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.code == "not-supported")
        #expect(failure?.message == "DLNA devices play http addresses, not ftp.")
        #expect(fake.calls.isEmpty)
    }

    @Test func leavesTheDescriptionOutForDevicesThatChokeOnIt() async throws {
        fake.change { $0.failures["SetAVTransportURI"] = [.fault(UPnPFault(code: 402))] }
        _ = try await start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("SetAVTransportURI") == 2)
        #expect(fake.now.metadata == "")
    }

    @Test func waitsUntilTheDeviceCanPlay() async throws {
        fake.change {
            $0.transport = "TRANSITIONING"
            $0.failures["Play"] = [.fault(UPnPFault(code: 701)), .fault(UPnPFault(code: 701))]
        }
        _ = try await start()
        for attempt in 1...2 {
            await eventually("attempt \(attempt) was refused") {
                fake.count("Play") == attempt && clock.nextPause == .milliseconds(500)
            }
            clock.advance(by: .milliseconds(500))
        }
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("Play") == 3)
    }

    @Test func endsWithTheMedia() async throws {
        let (session, control) = try await playing()
        #expect(control.isReady)
        #expect(!control.isBuffering)
        #expect(control.timeRange.duration.seconds == 30)
        clock.advance(by: .milliseconds(29_500))
        try apply(TransportChange(state: .stopped))
        await eventually("it ended") { reports == ["started", "ended"] }
        #expect(control.playbackPosition.position.seconds == 30)
        #expect(control.playbackPosition.rate == 0)
        session.stop()
        session.deactivate()
        await eventually("it is let go") { system.extension.devices.player(of: room.device) == nil }
        #expect(fake.count("Stop") == 0)
    }

    /// A busy renderer sends its events late.
    @Test func aLateEventAboutEarlierMediaDoesNotEndIt() async throws {
        let (_, control) = try await playing()
        clock.advance(by: .seconds(2))
        let asked = fake.count("GetTransportInfo")
        try apply(TransportChange(state: .stopped))
        await eventually("it asked") { fake.count("GetTransportInfo") > asked && clock.nextPause != nil }
        #expect(reports == ["started"] && control.isPlaying)
        fake.change { $0.transport = "STOPPED" }
        try apply(TransportChange(state: .stopped))
        await eventually("it ended") { reports == ["started", "ended"] }
    }

    @Test func endsWhenPollingFindsTheEnd() async throws {
        let (session, _) = try await playing()
        fake.change { $0.position = "0:00:28" }
        let asked = fake.count("GetPositionInfo")
        clock.advance(by: .seconds(28))
        await eventually("it asked") { fake.count("GetPositionInfo") > asked && clock.nextPause != nil }
        fake.change { $0.transport = "STOPPED" }
        clock.advance(by: .seconds(3))
        await eventually("it ended") { reports == ["started", "ended"] }
        _ = session
    }

    @Test func stopsOnlyItsOwnMedia() async throws {
        let (session, _) = try await playing()
        session.stop()
        await eventually("it stopped") { fake.count("Stop") == 1 }
        #expect(reports == ["started"])
        fake.change { $0.transport = "STOPPED" }
        session.start(try #require(URL(string: "http://192.0.2.1/a%20tone.mp3")))
        await eventually("it started again") { reports == ["started", "started"] }
        fake.change { $0.uri = "http://192.0.2.7/else.mp3" }
        session.stop()
        session.deactivate()
        await eventually("it is let go") { system.extension.devices.player(of: room.device) == nil }
        #expect(fake.count("Stop") == 1)
    }

    @Test func sendsCommandsInOrder() async throws {
        let (_, control) = try await playing()
        await eventually("it can seek") { control.supportedSeekCapabilities == .seek }
        control.isPlaying = false
        control.seek(to: CMTime(seconds: 20, preferredTimescale: 1000), tolerance: .zero)
        control.volume = 0.5
        control.isMuted = true
        await eventually("they are carried out") { fake.now.isMuted }
        #expect(
            fake.calls.filter { ["Pause", "Seek", "SetVolume", "SetMute"].contains($0) }
                == ["Pause", "Seek", "SetVolume", "SetMute"])
        #expect(control.volume == 0.5)
        #expect(control.isMuted)
        #expect(!control.isPlaying)
        #expect(control.playbackPosition.position.seconds == 20)
    }

    @Test func takesBackWhatTheDeviceRefuses() async throws {
        let (_, control) = try await playing()
        fake.change { $0.failures["Pause"] = [.fault(UPnPFault(code: 501))] }
        control.isPlaying = false
        #expect(!control.isPlaying)
        await eventually("it is taken back") { control.isPlaying }
        #expect(fake.count("Pause") == 1)
        #expect(reports == ["started"])
    }

    @Test func showsADeviceThatIsGoneAndComesBack() async throws {
        let (_, control) = try await playing()
        fake.change { $0.failures["GetTransportInfo"] = [.timedOut, .timedOut] }
        clock.advance(by: .seconds(1))
        await eventually("the first answer is missed") { clock.nextPause == .milliseconds(250) }
        #expect(!control.isBuffering)
        clock.advance(by: .milliseconds(250))
        await eventually("the second one too") { control.isBuffering }
        #expect(control.playbackPosition.rate == 0)
        await eventually("it will try again") { clock.nextPause == .milliseconds(250) }
        clock.advance(by: .milliseconds(250))
        await eventually("it is back") { !control.isBuffering && control.playbackPosition.rate == 1 }
        #expect(fake.count("SetAVTransportURI") == 1 && fake.count("Stop") == 0)
        #expect(reports == ["started"])
    }

    @Test func givesUpADeviceThatStaysAway() async throws {
        _ = try await playing()
        fake.change { $0.failures["GetTransportInfo"] = Array(repeating: .timedOut, count: 99) }
        clock.advance(by: .seconds(1))
        await eventually("it gave up") {
            if let pause = clock.nextPause { clock.advance(by: pause) }
            return reports == ["started", "failed"]
        }
        #expect(failure?.code == "timed-out")
    }

    @Test func aRestartedDeviceHasEndedIt() async throws {
        _ = try await playing()
        fake.change {
            $0.failures["GetTransportInfo"] = [.timedOut, .timedOut, .status(503)]
            $0.transport = "NO_MEDIA_PRESENT"
            $0.uri = ""
        }
        await eventually("it ended") {
            if let pause = clock.nextPause { clock.advance(by: pause) }
            return reports == ["started", "ended"]
        }
    }

    @Test func publishesThePositionOnlyWhenItJumps() async throws {
        let (_, control) = try await playing()
        let first = control.playbackPosition
        fake.change { $0.position = "0:00:05" }
        let asked = fake.count("GetPositionInfo")
        clock.advance(by: .seconds(5))
        await eventually("it was asked") {
            fake.count("GetPositionInfo") > asked && clock.nextPause == .seconds(1)
        }
        try apply(TransportChange(state: .playing, duration: 31, position: 5))
        await eventually("the event arrived") { control.timeRange.duration.seconds == 31 }
        #expect(control.playbackPosition === first)
        fake.change { $0.position = "0:00:15" }
        try apply(TransportChange(position: 15))
        await eventually("it jumped") { control.playbackPosition !== first }
        #expect(control.playbackPosition.position.seconds == 15)
        #expect(control.playbackPosition.rate == 1)
    }

    @Test func doesNotOpenFilesADeviceNames() {
        let document = MediaItem(title: "x", artworkURI: "file:///etc/passwd").document
        var snapshot = PlaybackSnapshot(isPlaying: true, position: 0)
        snapshot.show([nil, "rubbish", document])
        #expect(snapshot.artworkURL == nil)
        #expect(snapshot.title == "x")
    }
}

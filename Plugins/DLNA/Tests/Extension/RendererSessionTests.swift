import DLNAProtocol
import Foundation
import MediaDevice
import NIOPosix
import Testing

@testable import DLNAExtension

@Suite(.timeLimit(.minutes(1)))
@MainActor
final class RendererSessionTests {
    private let fake = FakeRenderer()
    private let clock = ManualTime()
    private var reports: [String] = []
    private var control: RendererPlaybackControl?
    private var failure: MediaDeviceError?

    private func renderer(formats: String = "http-get:*:audio/mpeg:*") async throws -> Renderer {
        let network = RendererNetwork(
            transport: fake, group: MultiThreadedEventLoopGroup.singleton, time: clock.time)
        let renderer = Renderer(try .fake(formats: formats), network: network)
        await renderer.volume.read()
        return renderer
    }

    private func session(
        _ renderer: Renderer, _ url: String = "http://192.0.2.1/a%20tone.mp3",
        _ information: MediaOutputSession.MediaInformation? = nil
    ) throws -> RendererSession {
        RendererSession(renderer, url: try #require(URL(string: url)), information: information) { [weak self] report in
            switch report {
            case .started(let control):
                self?.reports.append("started")
                self?.control = control
            case .ended: self?.reports.append("ended")
            case .failed(let error):
                self?.reports.append("failed")
                self?.failure = error
            }
        }
    }

    /// A session that plays.
    private func playing(_ renderer: Renderer) async throws -> RendererSession {
        let session = try session(renderer)
        session.start()
        await eventually("it started") { reports == ["started"] && clock.nextPause != nil }
        session.apply(TransportChange(state: .playing, uri: "http://192.0.2.1/a%20tone.mp3", duration: 30))
        return session
    }

    @Test func offersTheMediaThenPlays() async throws {
        let renderer = try await renderer()
        fake.change {
            $0.headAnswer.headers = [
                "content-type": "audio/mpeg", "accept-ranges": "bytes", "content-length": "721650",
            ]
        }
        let session = try session(renderer)
        session.start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.calls.filter { !$0.hasPrefix("Get") } == ["HEAD", "SetAVTransportURI", "Play"])
        let item = try MediaItem(parsing: fake.now.metadata)
        #expect(item.title == "a tone")
        #expect(item.resource?.uri == "http://192.0.2.1/a%20tone.mp3")
        #expect(item.resource?.size == 721_650)
        #expect(item.resource?.protocolInfo.hasPrefix("http-get:*:audio/mpeg:DLNA.ORG_OP=01;") == true)
        let control = try #require(control)
        #expect(control.isPlaying)
        #expect(!control.isReady)
        #expect(control.volume == 0.2)
        #expect(fake.count("SetVolume") == 0)
        await session.stop()
    }

    /// A device can send unreadable events faster than it answers questions.
    @Test func manyUnreadableEventsCauseFewQuestions() async throws {
        let renderer = try await renderer()
        let session = try await playing(renderer)
        let before = fake.count("GetVolume")
        for _ in 0..<1000 { renderer.handle(.resynchronize) }
        await eventually("it was asked") { fake.count("GetVolume") > before }
        for _ in 0..<1000 { renderer.handle(.resynchronize) }
        await eventually("it was asked again") { fake.count("GetVolume") > before + 1 }
        #expect(fake.count("GetVolume") <= before + 3 && fake.count("GetTransportInfo") < 20)
        await session.stop()
        await renderer.close()
    }

    @Test func stopsWhatPlayedBefore() async throws {
        fake.change { $0.transport = "PLAYING" }
        let session = try session(try await renderer())
        session.start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.calls.filter { !$0.hasPrefix("Get") } == ["HEAD", "Stop", "SetAVTransportURI", "Play"])
        #expect(control?.metadata.title == "a tone")
        await session.stop()
    }

    @Test func tellsTheDeviceWhatTheAppKnows() async throws {
        let renderer = try await renderer()
        let information = MediaOutputSession.MediaInformation(
            title: "Tom & Jerry", artist: "Ünal", artworkURL: URL(string: "http://192.0.2.1/a.png"),
            contentType: "audio/mpeg", duration: 90, startPosition: 12)
        let session = try session(renderer, "http://192.0.2.1/x", information)
        session.start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("HEAD") == 0)
        let item = try MediaItem(parsing: fake.now.metadata)
        #expect(item.title == "Tom & Jerry")
        #expect(item.artist == "Ünal")
        #expect(item.resource?.duration == 90)
        let control = try #require(control)
        #expect(control.metadata.title == "Tom & Jerry")
        #expect(control.metadata.artworkRepresentations.count == 1)
        session.apply(TransportChange(state: .playing))
        await eventually("it went to where it was to start") { fake.now.position == "0:00:12" }
        await session.stop()
    }

    @Test func refusesAFormatTheDeviceDoesNotList() async throws {
        let renderer = try await renderer(formats: "http-get:*:audio/wav:*,http-get:*:audio/flac:*")
        try session(renderer).start()
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.detail == .unsupportedFormat)
        #expect(failure?.reason == "Kitchen does not play audio/mpeg. It takes audio/wav, audio/flac.")
        #expect(fake.count("SetAVTransportURI") == 0)
    }

    @Test(arguments: [
        (714, MediaDeviceError.Detail.unsupportedFormat), (716, .unreachableURL), (602, .notSupported),
        (718, .deviceRefused),
    ])
    func tellsWhyTheDeviceRefused(code: Int, detail: MediaDeviceError.Detail) async throws {
        fake.change { $0.failures["SetAVTransportURI"] = [.fault(UPnPFault(code: code))] }
        try session(try await renderer()).start()
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.detail == detail)
        #expect(failure?.reason == UPnPFault(code: code).sentence)
    }

    @Test func tellsThatTheMediaIsNotThere() async throws {
        fake.change { $0.headAnswer.status = 404 }
        try session(try await renderer()).start()
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.detail == .unreachableURL)
        #expect(fake.count("SetAVTransportURI") == 0)
    }

    @Test func leavesTheDescriptionOutForDevicesThatChokeOnIt() async throws {
        fake.change { $0.failures["SetAVTransportURI"] = [.fault(UPnPFault(code: 402))] }
        let session = try session(try await renderer())
        session.start()
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("SetAVTransportURI") == 2)
        #expect(fake.now.metadata == "")
        await session.stop()
    }

    @Test func waitsUntilTheDeviceCanPlay() async throws {
        fake.change {
            $0.transport = "TRANSITIONING"
            $0.failures["Play"] = [.fault(UPnPFault(code: 701)), .fault(UPnPFault(code: 701))]
        }
        let session = try session(try await renderer())
        session.start()
        for attempt in 1...2 {
            await eventually("attempt \(attempt) was refused") {
                fake.count("Play") == attempt && clock.nextPause == .milliseconds(500)
            }
            clock.advance(by: .milliseconds(500))
        }
        await eventually("it started") { reports == ["started"] }
        #expect(fake.count("Play") == 3)
        await session.stop()
    }

    @Test func endsWithTheMedia() async throws {
        let session = try await playing(try await renderer())
        let control = try #require(control)
        #expect(control.isReady)
        #expect(!control.isBuffering)
        #expect(control.timeRange.duration.seconds == 30)
        clock.advance(by: .milliseconds(29_500))
        session.apply(TransportChange(state: .stopped))
        #expect(reports == ["started", "ended"])
        #expect(control.playbackPosition.position.seconds == 30)
        #expect(control.playbackPosition.rate == 0)
        await session.stop()
        #expect(fake.count("Stop") == 0)
    }

    @Test func endsWhenPollingFindsTheEnd() async throws {
        let session = try await playing(try await renderer())
        fake.change { $0.position = "0:00:28" }
        clock.advance(by: .seconds(28))
        await eventually("it asked") { fake.count("GetPositionInfo") > 0 && clock.nextPause != nil }
        fake.change { $0.transport = "STOPPED" }
        clock.advance(by: .seconds(3))
        await eventually("it ended") { reports == ["started", "ended"] }
        _ = session
    }

    @Test func stopsOnlyItsOwnMedia() async throws {
        let session = try await playing(try await renderer())
        await session.stop()
        #expect(fake.count("Stop") == 1)
        #expect(reports == ["started"])
        reports = []
        let other = try await playing(try await renderer())
        fake.change { $0.uri = "http://192.0.2.7/else.mp3" }
        await other.stop()
        #expect(fake.count("Stop") == 1)
    }

    @Test func sendsCommandsInOrder() async throws {
        let renderer = try await renderer()
        let session = try await playing(renderer)
        let control = try #require(control)
        control.isPlaying = false
        control.seek(to: CMTime(seconds: 20, preferredTimescale: 1000), tolerance: .zero)
        control.volume = 0.5
        control.isMuted = true
        await renderer.commands.drain()
        #expect(
            fake.calls.filter { ["Pause", "Seek", "SetVolume", "SetMute"].contains($0) }
                == ["Pause", "Seek", "SetVolume", "SetMute"])
        #expect(control.volume == 0.5)
        #expect(control.isMuted)
        #expect(!control.isPlaying)
        #expect(control.playbackPosition.position.seconds == 20)
        await session.stop()
    }

    @Test func takesBackWhatTheDeviceRefuses() async throws {
        let renderer = try await renderer()
        let session = try await playing(renderer)
        let control = try #require(control)
        fake.change { $0.failures["Pause"] = [.fault(UPnPFault(code: 501))] }
        control.isPlaying = false
        #expect(!control.isPlaying)
        await renderer.commands.drain()
        #expect(control.isPlaying)
        #expect(reports == ["started"])
        await session.stop()
    }

    @Test func showsADeviceThatIsGoneAndComesBack() async throws {
        let session = try await playing(try await renderer())
        let control = try #require(control)
        fake.change { $0.failures["GetTransportInfo"] = [.timedOut, .timedOut] }
        clock.advance(by: .seconds(1))
        await eventually("the first answer is missed") { clock.nextPause == .milliseconds(250) }
        #expect(control.error == nil)
        clock.advance(by: .milliseconds(250))
        await eventually("the second one too") { control.error != nil }
        await eventually("it will try again") { clock.nextPause == .milliseconds(500) }
        clock.advance(by: .milliseconds(500))
        await eventually("it is back") { control.error == nil }
        #expect(reports == ["started"])
        await session.stop()
    }

    @Test func givesUpADeviceThatStaysAway() async throws {
        let session = try await playing(try await renderer())
        fake.change { $0.failures["GetTransportInfo"] = Array(repeating: .timedOut, count: 99) }
        clock.advance(by: .seconds(1))
        await eventually("it gave up") {
            if let pause = clock.nextPause { clock.advance(by: pause) }
            return reports == ["started", "failed"]
        }
        #expect(failure?.code == .connectionFailed)
        #expect(failure?.detail == .timedOut)
        _ = session
    }

    @Test(arguments: ["PLAYING", "PAUSED_PLAYBACK"])
    func takesUpWhatTheDeviceStillPlays(state: String) async throws {
        let renderer = try await renderer()
        fake.change {
            $0.transport = state
            // As the device writes it.
            $0.uri = "http://192.0.2.1/a tone.mp3"
            $0.position = "0:00:12"
        }
        let information = MediaOutputSession.MediaInformation(title: "A tone", startPosition: 25)
        let session = try session(renderer, "http://192.0.2.1/a%20tone.mp3", information)
        session.adopt(startedAt: clock.time.seconds - 30)
        await eventually("it was taken up") { reports == ["started"] && clock.nextPause != nil }
        let control = try #require(control)
        #expect(control.isPlaying == (state == "PLAYING") && control.isReady)
        #expect(control.playbackPosition.position.seconds == 12)
        #expect(control.timeRange.duration.seconds == 30)
        #expect(control.metadata.title == "A tone")
        #expect(fake.calls.allSatisfy { $0.hasPrefix("Get") }, "the device is not touched: \(fake.calls)")
        control.seek(to: CMTime(seconds: 20, preferredTimescale: 1000), tolerance: .zero)
        await renderer.commands.drain()
        #expect(fake.now.position == "0:00:20")
        await session.stop()
        #expect(fake.now.transport == "STOPPED")
    }

    @Test(arguments: [
        ("STOPPED", "http://192.0.2.1/a%20tone.mp3"), ("NO_MEDIA_PRESENT", ""),
        ("PLAYING", "http://192.0.2.1/other.mp3"),
    ])
    func leavesAloneWhatIsNotItsOwn(state: String, uri: String) async throws {
        let renderer = try await renderer()
        fake.change {
            $0.transport = state
            $0.uri = uri
        }
        let session = try session(renderer)
        session.adopt(startedAt: clock.time.seconds - 30)
        await eventually("it is over") { reports == ["ended"] }
        await session.stop()
        #expect(fake.calls.allSatisfy { $0.hasPrefix("Get") }, "\(fake.calls)")
    }

    @Test(arguments: [nil, -1.0])
    func waitsForWhatIsJustStarting(startedAt: Double?) async throws {
        let renderer = try await renderer()
        fake.change { $0.uri = "http://192.0.2.1/a%20tone.mp3" }
        let session = try session(renderer)
        session.adopt(startedAt: startedAt.map { clock.time.seconds + $0 })
        await eventually("it waits") { clock.nextPause == .milliseconds(500) }
        fake.change { $0.transport = "PLAYING" }
        clock.advance(by: .milliseconds(500))
        await eventually("it was taken up") { reports == ["started"] }
        await session.stop()
    }

    @Test func waitsNoLongerThanAStartTakes() async throws {
        let renderer = try await renderer()
        fake.change { $0.uri = "http://192.0.2.1/a%20tone.mp3" }
        let session = try session(renderer)
        session.adopt(startedAt: clock.time.seconds - 3.8)
        await eventually("it waits") { clock.nextPause == .milliseconds(500) }
        clock.advance(by: .milliseconds(500))
        await eventually("it is over") { reports == ["ended"] }
        await session.stop()
    }

    @Test func aDeviceThatCannotBeAskedIsAFailureOfItsConnection() async throws {
        let renderer = try await renderer()
        fake.change { $0.failures["GetMediaInfo"] = [.timedOut] }
        try session(renderer).adopt(startedAt: nil)
        await eventually("it failed") { reports == ["failed"] }
        #expect(failure?.code == .connectionFailed)
    }

    @Test func publishesThePositionOnlyWhenItJumps() async throws {
        let session = try await playing(try await renderer())
        let control = try #require(control)
        let first = control.playbackPosition
        clock.advance(by: .seconds(5))
        session.apply(TransportChange(state: .playing, position: 5))
        #expect(control.playbackPosition === first)
        session.apply(TransportChange(position: 15))
        #expect(control.playbackPosition !== first)
        #expect(control.playbackPosition.position.seconds == 15)
        #expect(control.playbackPosition.rate == 1)
        await session.stop()
    }

    @Test func doesNotOpenFilesADeviceNames() {
        let document = MediaItem(title: "x", artworkURI: "file:///etc/passwd").document
        let metadata = AVPlaybackUserInterfaceContentMetadata([nil, "rubbish", document], hasVideo: false)
        #expect(metadata.artworkRepresentations.isEmpty)
        #expect(metadata.title == "x")
    }
}

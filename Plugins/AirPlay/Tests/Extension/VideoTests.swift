import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension

/// Playback by address, as the host requests it, against a receiver that follows its commands.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct VideoTests {
    private let system = VideoTests.makeSystem()
    private let film = URL(filePath: "/film.mp4").absoluteString.replacing("file://", with: "http://10.0.0.4:8099")

    private static func makeSystem() -> TestSystem<AirPlayExtension> {
        TestSystem.readingMedia(
            AirPlayExtension(
                .init(
                    timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(5)),
                    ports: StreamPorts(range: 26_301...26_332), reconnection: ReconnectPolicy(limit: .seconds(2)),
                    videoInterval: .milliseconds(20))))
    }

    /// Something plays, and has been told as started.
    private func playing(
        _ screen: ReceiverScreen, _ device: MediaOutputDevice, information: MediaOutputSession.MediaInformation? = nil
    ) async throws -> TestSession<AirPlayExtension> {
        let session = system.activate(device)
        try await session.activated()
        session.start(try #require(URL(string: film)), information: information)
        try await session.started()
        return session
    }

    @Test(arguments: [false, true]) func anAddressPlaysToItsEnd(takesText: Bool) async throws {
        let screen = ReceiverScreen(takesText: takesText)
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver.screenDevice())
        #expect(screen.now.address == film)
        #expect(screen.now.count("/play?") == 0 && screen.now.requests.allSatisfy { $0.version == .http })
        let sessions = Set(screen.now.requests.dropFirst().compactMap { $0.headers["X-Apple-Session-ID"] })
        #expect(sessions.count == 1, "the same in all requests of a playback")
        let control = try #require(session.control)
        #expect(control.isPlaying && control.timeRange.duration.seconds == 60)
        #expect(control.supportedSeekCapabilities == .seek)
        screen.change { $0.address = nil }
        try await session.ended()
        #expect(screen.now.count("/stop") == 0, "it has stopped by itself")
        await receiver.stop()
    }

    @Test func isCommandedFromBothSides() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let device = try receiver.screenDevice()
        let session = try await playing(screen, device)
        let control = try #require(session.control)
        control.isPlaying = false
        await eventually("it pauses") { screen.now.rate == 0 }
        await eventually("the clock stands") { control.playbackPosition.rate == 0 }
        control.seek(to: CMTime(seconds: 42.5, preferredTimescale: 1000), tolerance: .zero)
        await eventually("it goes there") { screen.now.position == 42.5 }
        await eventually("42.5 s") { control.playbackPosition.position.seconds == 42.5 }
        #expect(screen.now.requests.contains { $0.uri == "/scrub?position=42.500000" })
        screen.change { $0.rate = 1 }
        await eventually("it was resumed there") { control.isPlaying && control.playbackPosition.rate == 1 }
        screen.change { $0.rate = 0 }
        await eventually("it was paused there") { !control.isPlaying && control.playbackPosition.rate == 0 }
        #expect(screen.now.count("/rate") == 1, "what was done there is not done again from here")
        screen.change { $0.position = 7 }
        await eventually("it was moved there") { control.playbackPosition.position.seconds == 7 }
        try system.setVolume(0.25, for: device)
        await eventually("a quarter") { screen.now.level == "volume=0.250000" }
        try system.toggleMute(of: device)
        await eventually("silence") { screen.now.level == "volume=0.000000" }
        session.stop()
        await eventually("the end") { screen.now.address == nil && screen.now.count("/stop") == 1 }
        await receiver.stop()
    }

    /// The host stops the playback and plays the next item in the same session.
    @Test func anotherPiecePlaysInTheSameSession() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver.screenDevice())
        session.stop()
        let other = film + "?other"
        session.start(try #require(URL(string: other)))
        try await session.started()
        #expect(screen.now.address == other && session.control?.isPlaying == true)
        session.stop()
        await eventually("the end") { screen.now.address == nil }
        await receiver.stop()
    }

    @Test func beginsWhereItIsTold() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver.screenDevice(), information: .init(startPosition: 30))
        await eventually("30 s") { screen.now.position == 30 }
        #expect(screen.now.requests.count { $0.uri.hasPrefix("/scrub") } == 1)
        session.stop()
        await receiver.stop()
    }

    @Test func whatItCannotPlayIsTold() async throws {
        let screen = ReceiverScreen()
        screen.change { $0.failure = -1100 }
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = system.activate(try receiver.screenDevice())
        try await session.activated()
        session.start(try #require(URL(string: film)))
        let error = try await #require(throws: ReportedError.self) { try await session.started() }
        #expect(error.code == "device-refused" && error.message.contains("NSURLErrorDomain -1100"))
        await receiver.stop()
    }

    @Test func aLostConnectionIsMadeAgain() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver.screenDevice())
        receiver.hangUp()
        screen.change { $0.position = 20 }
        await eventually("it is followed again") { session.control?.playbackPosition.position.seconds == 20 }
        #expect(screen.now.requests.count { $0.uri == "/play" } == 1, "it is not begun again")
        await receiver.stop()
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "unreachable")
    }

    /// It plays on without a connection.
    @Test func isStoppedAlsoWhereTheConnectionIsGone() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver.screenDevice())
        receiver.hangUp()
        session.stop()
        await eventually("it is stopped") { screen.now.address == nil }
        await receiver.stop()
    }

    /// The receiver plays by itself, so a new process only has to read its state.
    @Test func whatAnEarlierProcessHadPlayedGoesOn() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let device = try receiver.screenDevice()
        screen.change {
            $0.address = "something"
            ($0.position, $0.rate) = (12, 1)
        }
        let place = VideoPlayback.VideoPlace(session: "earlier")
        let later = system.activate(device)
        try await later.activated()
        try later.adopt(EarlierPlayback(url: try #require(URL(string: film)), token: place.data))
        try await later.started()
        #expect(later.control?.playbackPosition.position.seconds == 12)
        #expect(screen.now.count("/play") == screen.now.count("/playback-info"), "nothing is begun")
        later.stop()
        await eventually("the end") { screen.now.address == nil }
        let over = system.activate(device)
        try await over.activated()
        try over.adopt(EarlierPlayback(url: try #require(URL(string: film)), token: place.data))
        try await over.ended()
        await receiver.stop()
    }

    /// A file that the receiver can't open itself may still be streamed to it as audio.
    @Test func whatItCannotOpenIsSentLiveToWhoeverTakesBoth() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = system.activate(try receiver.screenDevice(takesSound: true))
        try await session.activated()
        screen.change { $0.failure = -11828 }
        let file = try WaveFile(seconds: 0.5)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url)
        try await session.ended()
        #expect(screen.now.address == file.url.absoluteString && receiver.now().payloads == file.payloads())
        screen.change { $0.failure = nil }
        session.start(try #require(URL(string: film)))
        await eventually("the address") { screen.now.address == film }
        session.stop()
        await receiver.stop()
    }

    @Test func whoPlaysTogetherIsSentItLive() async throws {
        let screen = ReceiverScreen()
        let (first, second) = (try await FakeReceiver(.init(screen: screen)), try await FakeReceiver())
        let session = system.activate(try first.screenDevice(takesSound: true))
        try await session.activated()
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(second.port)))
        let speaker = try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Speaker", capabilities: .realtimeAudioStreaming,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)]))
        let joining = system.activate(speaker, joining: session)
        try await joining.activated()
        let file = try WaveFile(seconds: 0.5)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url)
        try await session.ended()
        #expect(screen.now.count("/play?") + screen.now.requests.count { $0.uri == "/play" } == 0)
        #expect(first.now().payloads == file.payloads() && second.now().payloads == file.payloads())
        await first.stop()
        await second.stop()
    }
}

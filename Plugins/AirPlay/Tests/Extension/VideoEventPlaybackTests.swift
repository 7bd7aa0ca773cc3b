import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension

/// Playback by address on a receiver that sends events.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct VideoEventPlaybackTests {
    /// Longer than any test.
    private static let never = Duration.seconds(600)

    /// - Parameter interval: The polling interval for a receiver without events; one with events is never polled.
    private func makeSystem(_ interval: Duration = Self.never) -> TestSystem<AirPlayExtension> {
        TestSystem.readingMedia(
            AirPlayExtension(
                .init(
                    timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(5)),
                    ports: StreamPorts(range: 26_341...26_372), reconnection: ReconnectPolicy(limit: .seconds(2)),
                    videoInterval: interval, rareVideoInterval: Self.never)))
    }

    /// Told to play, and not yet known to.
    private func begun(
        _ screen: ReceiverScreen, _ receiver: FakeReceiver, _ system: TestSystem<AirPlayExtension>
    ) async throws -> TestSession<AirPlayExtension> {
        let isEncrypted = receiver.behaviour.door != nil
        let session = system.activate(try receiver.screenDevice(access: isEncrypted ? .transient : .open))
        try await session.activated()
        session.start(try #require(URL(string: "http://10.0.0.4:8099/film.mp4")))
        await eventually("it plays") { screen.now.address != nil }
        return session
    }

    private func playing(
        _ screen: ReceiverScreen, _ receiver: FakeReceiver, _ system: TestSystem<AirPlayExtension>
    ) async throws -> TestSession<AirPlayExtension> {
        let session = try await begun(screen, receiver, system)
        screen.tell("loading")
        screen.tell("playing")
        try await session.started()
        return session
    }

    @Test(arguments: [false, true]) func whatItTellsIsShownAtOnce(isEncrypted: Bool) async throws {
        let screen = ReceiverScreen(tells: true)
        let receiver = try await FakeReceiver(.init(door: isEncrypted ? ReceiverDoor(.homeKit) : nil, screen: screen))
        let session = try await playing(screen, receiver, makeSystem())
        let control = try #require(session.control)
        screen.change { ($0.rate, $0.position) = (0, 7) }
        screen.tell("paused")
        await eventually("it was paused there") {
            !control.isPlaying && control.playbackPosition.position.seconds == 7
        }
        screen.change { $0.rate = 1 }
        screen.tell("playing", session: "another")
        screen.tell("playing")
        await eventually("it was resumed there") { control.isPlaying && control.playbackPosition.rate == 1 }
        await eventually("each is answered") { screen.now.answers == [Int](repeating: 200, count: 5) }
        screen.change { $0.address = nil }
        screen.tell("stopped")
        try await session.ended()
        let requests = screen.now.requests.dropFirst().map(\.uri)
        #expect(requests.starts(with: ["/reverse", "/play", "/playback-info"]), "it listens before it has it play")
        #expect(Set(screen.now.requests.dropFirst().compactMap { $0.headers["X-Apple-Session-ID"] }).count == 1)
        #expect(screen.now.count("/playback-info") <= 8, "one for each that is told, and the first")
        await receiver.stop()
    }

    @Test func aStopIsBelievedAtOnceAndOnlyTogetherWithItsAnswer() async throws {
        let screen = ReceiverScreen(tells: true)
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver, makeSystem())
        let before = screen.now.count("/playback-info")
        screen.tell("stopped")
        await eventually("it is asked") { screen.now.count("/playback-info") > before }
        screen.change { $0.position = 30 }
        screen.tell("playing")
        await eventually("it plays on") { session.control?.playbackPosition.position.seconds == 30 }
        screen.change { $0.address = nil }
        screen.tell("stopped")
        try await session.ended()
        await receiver.stop()
    }

    /// Kodi reports the end of its previous media to the client that replaces it.
    @Test func theEndOfAnotherPieceIsNotItsOwn() async throws {
        let screen = ReceiverScreen(tells: true)
        let receiver = try await FakeReceiver(.init(screen: screen))
        screen.change { $0.opensLate = true }
        let session = try await begun(screen, receiver, makeSystem())
        for event in ["loading", "stopped"] {
            let before = screen.now.count("/playback-info")
            screen.tell(event)
            await eventually("it is asked") { screen.now.count("/playback-info") > before }
        }
        screen.change { $0.opensLate = false }
        screen.tell("playing")
        try await session.started()
        session.stop()
        await eventually("the end") { screen.now.address == nil }
        await receiver.stop()
    }

    @Test func whoTellsNothingIsAsked() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await begun(screen, receiver, makeSystem(.milliseconds(20)))
        try await session.started()
        let control = try #require(session.control)
        screen.change { $0.rate = 0 }
        await eventually("it was paused there") { !control.isPlaying }
        screen.change { $0.rate = 1 }
        await eventually("it was resumed there") { control.isPlaying }
        #expect(screen.now.requests.count { $0.uri == "/reverse" } == 1, "it is not asked again to tell")
        session.stop()
        await eventually("the end") { screen.now.address == nil }
        await receiver.stop()
    }

    @Test func whoTellsIsAskedNoMoreUntilItFallsSilent() async throws {
        let screen = ReceiverScreen(tells: true)
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver, makeSystem(.milliseconds(20)))
        // It would have to go on otherwise.
        screen.change { $0.rate = 0 }
        screen.tell("paused")
        var (looks, pauses) = (0, 0)
        await eventually("it is left alone") {
            pauses = screen.now.count("/playback-info") == looks ? pauses + 1 : 0
            looks = screen.now.count("/playback-info")
            return pauses > 20
        }
        screen.change { $0.position = 20 }
        screen.fallSilent()
        await eventually("it is asked at once") { session.control?.playbackPosition.position.seconds == 20 }
        screen.change { $0.position = 40 }
        await eventually("and ever again") { session.control?.playbackPosition.position.seconds == 40 }
        #expect(screen.now.requests.count { $0.uri == "/play" } == 1)
        session.stop()
        await eventually("the end") { screen.now.address == nil }
        await receiver.stop()
    }

    @Test func bothConnectionsAreMadeAgain() async throws {
        let screen = ReceiverScreen(tells: true)
        let receiver = try await FakeReceiver(.init(screen: screen))
        let session = try await playing(screen, receiver, makeSystem())
        receiver.hangUp()
        await eventually("it listens again") { screen.now.timesHeard == 2 }
        screen.change { $0.position = 20 }
        screen.tell("playing")
        await eventually("20 s") { session.control?.playbackPosition.position.seconds == 20 }
        #expect(screen.now.requests.count { $0.uri == "/play" } == 1, "it is not begun again")
        session.stop()
        await eventually("the end") { screen.now.address == nil }
        await receiver.stop()
    }
}

import HostInterface
import Testing

@testable import HostDesktop

struct PlayerRequestTests {
    private func action(_ request: PlayerRequest, _ view: PlayerView, at position: Double = 50) throws -> MediaAction? {
        try request.action(view, position: position)
    }

    @Test func playingAndPausing() throws {
        let both = [MediaControl(.play), MediaControl(.pause)]
        #expect(try action(.play, .sample(controls: both)) == MediaAction(.play))
        #expect(try action(.playPause, .sample(.playing, controls: both)) == MediaAction(.pause))
        #expect(try action(.playPause, .sample(.paused, controls: both)) == MediaAction(.play))
        let toggle = [MediaControl(.togglePlayPause)]
        #expect(try action(.play, .sample(.paused, controls: toggle)) == MediaAction(.togglePlayPause))
        #expect(try action(.play, .sample(.playing, controls: toggle)) == nil, "it plays already")
        #expect(try action(.pause, .sample(.buffering, controls: toggle)) == MediaAction(.togglePlayPause))
        #expect(throws: HostError.self) { try action(.play, .sample()) }
        #expect(throws: HostError.self) {
            try action(.next, .sample(controls: [MediaControl(.next, isEnabled: false)]))
        }
    }

    @Test func seeking() throws {
        let view = PlayerView.sample(controls: [MediaControl(.seekToPosition), MediaControl(.next)])
        #expect(try action(.seek(by: 10), view) == MediaAction(.seekToPosition, number: 60))
        #expect(try action(.seek(by: -100), view) == MediaAction(.seekToPosition, number: 0))
        #expect(try action(.seek(by: 1000), view) == MediaAction(.next), "beyond the end is the next one")
        #expect(try action(.setPosition(10, track: view.track), view) == MediaAction(.seekToPosition, number: 10))
        #expect(try action(.setPosition(10, track: "/old"), view) == nil, "of another track")
        #expect(try action(.setPosition(201, track: view.track), view) == nil, "beyond the end")
        #expect(try action(.setPosition(-1, track: view.track), view) == nil)
        #expect(try action(.seek(by: 10), .sample()) == nil, "CanSeek is false")
    }

    @Test func anAppThatOnlySkipsMovesByItsOwnSteps() throws {
        let view = PlayerView.sample(controls: [MediaControl(.skipForward, numbers: [10, 30])])
        #expect(try action(.seek(by: 25), view) == MediaAction(.skipForward, number: 30))
        #expect(try action(.seek(by: -5), view) == nil, "there is no way back")
        #expect(try action(.seek(by: 0), view) == nil)
        #expect(try action(.setPosition(10, track: view.track), view) == nil)
    }

    @Test func ratesAndModes() throws {
        let view = PlayerView.sample(
            .playing,
            controls: [
                MediaControl(.pause), MediaControl(.changePlaybackRate, numbers: [1, 2]),
                MediaControl(.changeRepeatMode, modes: ["off", "all"], current: "off"),
                MediaControl(.changeShuffleMode, modes: ["off", "collections"], current: "off"),
            ])
        #expect(try action(.setRate(2), view) == MediaAction(.changePlaybackRate, number: 2))
        #expect(try action(.setRate(0), view) == MediaAction(.pause), "as the specification wants")
        #expect(try action(.setLoopStatus("Playlist"), view) == MediaAction(.changeRepeatMode, mode: "all"))
        #expect(throws: HostError.self) { try action(.setLoopStatus("Track"), view) }
        #expect(throws: HostError.self) { try action(.setLoopStatus("Nonsense"), view) }
        #expect(try action(.setShuffle(true), view) == MediaAction(.changeShuffleMode, mode: "collections"))
        #expect(throws: HostError.self) { try action(.setRate(2), .sample()) }
    }
}

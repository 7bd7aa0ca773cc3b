import DBus
import HostCore
import HostInterface
import Testing

@testable import HostDesktop

struct PlayerViewTests {
    private func text(_ view: PlayerView, _ name: String) -> String? { view.properties[name]?.asString }
    private func flag(_ view: PlayerView, _ name: String) -> Bool? { view.properties[name]?.asBool }

    @Test func metadataIsThatOfTheItem() {
        var view = PlayerView.sample()
        view.session.state.content?.chapter = 3
        view.session.state.content?.releaseDate = 1_700_000_000
        view.artworkURL = "file:///tmp/cover.png"
        let metadata = view.properties["Metadata"]?.asDictionary ?? [:]
        #expect(metadata["mpris:trackid"] == .objectPath("/org/mdhost/track/a_2f1"))
        #expect(metadata["mpris:length"] == .int64(200_000_000))
        #expect(metadata["xesam:title"] == .string("Title"))
        #expect(metadata["xesam:artist"] == .strings(["Artist"]))
        #expect(metadata["xesam:album"] == .string("Album"))
        #expect(metadata["mpris:artUrl"] == .string("file:///tmp/cover.png"))
        #expect(metadata["xesam:contentCreated"] == .string("2023-11-14T22:13:20Z"))
        #expect(metadata["xesam:trackNumber"] == .int32(3))
        #expect(metadata["xesam:genre"] == nil)
    }

    @Test func aBroadcastHasNoLength() {
        var view = PlayerView.sample()
        view.session.state.content?.extent = .live
        view.session.state.content?.duration = nil
        #expect(view.properties["Metadata"]?.asDictionary?["mpris:length"] == nil)
        view.session.state.content?.duration = 90
        #expect(
            view.properties["Metadata"]?.asDictionary?["mpris:length"] == .int64(90_000_000), "the window to move in")
    }

    @Test(arguments: [
        (MediaPlayback.State.playing, "Playing"), (.buffering, "Playing"), (.paused, "Paused"),
        (.interrupted, "Paused"), (.stopped, "Stopped"),
    ])
    func status(_ state: MediaPlayback.State, _ expected: String) {
        #expect(text(.sample(state), "PlaybackStatus") == expected)
    }

    @Test func whatCanBeDoneFollowsTheCommands() {
        var view = PlayerView.sample(controls: [MediaControl(.togglePlayPause), MediaControl(.next, isEnabled: false)])
        #expect(flag(view, "CanPlay") == true && flag(view, "CanPause") == false)
        #expect(flag(view, "CanGoNext") == false && flag(view, "CanSeek") == false)
        view.session.state.playback?.state = .playing
        #expect(flag(view, "CanPlay") == false && flag(view, "CanPause") == true)
        view.session.state.controls = [MediaControl(.next), MediaControl(.seekToPosition)]
        #expect(flag(view, "CanGoNext") == true && flag(view, "CanSeek") == true)
        #expect(flag(view, "CanGoPrevious") == false && flag(view, "CanPlay") == false)
        view.session.state.controls = [MediaControl(.skipForward, numbers: [30])]
        #expect(flag(view, "CanSeek") == true, "by steps")
    }

    @Test func ratesAndModes() {
        var view = PlayerView.sample(
            .playing,
            controls: [
                MediaControl(.changePlaybackRate, numbers: [0.5, 2]),
                MediaControl(.changeRepeatMode, modes: ["off", "one"], current: "one"),
                MediaControl(.changeShuffleMode, current: "collections"),
            ])
        view.session.state.playback?.rate = 2
        view.session.state.playback?.defaultRate = 0.5
        #expect(view.properties["Rate"]?.asDouble == 2)
        #expect(view.properties["MinimumRate"]?.asDouble == 0.5 && view.properties["MaximumRate"]?.asDouble == 2)
        #expect(text(view, "LoopStatus") == "Track" && flag(view, "Shuffle") == true)
        view.session.state.playback?.state = .paused
        #expect(view.properties["Rate"]?.asDouble == 0.5, "what it comes back to; MPRIS knows no rate of 0")
    }

    @Test func datesBeforeAndBeyondTheCalendar() {
        #expect(ISODate.text(-1) == "1969-12-31T23:59:59Z")
        #expect(ISODate.text(-86_400) == "1969-12-31T00:00:00Z")
        // An app may publish any number.
        #expect(ISODate.text(Double(Int64.min)).hasSuffix("Z"))
        #expect(ISODate.text(.greatestFiniteMagnitude).isEmpty)
    }

    @Test func namesAreValid() {
        var session = PlayerView.sample().session
        #expect(session.playerName == "org.mpris.MediaPlayer2.mdhost.org_example_player_app1")
        session.name = "3 Küchen"
        session = NowPlayingSession(
            id: "route3", kind: .route, owner: "", application: "", name: "3 Küchen", state: session.state)
        #expect(session.playerName == "org.mpris.MediaPlayer2.mdhost._3_K_chen_route3")
        #expect(PlayerView.pathElement("") == "_")
        #expect(PlayerView.pathElement("ü") != PlayerView.pathElement("u"))
    }
}

extension PlayerView {
    static func sample(
        _ state: MediaPlayback.State = .paused, at position: Double = 0, since hostTime: Double = 0,
        controls: [MediaControl] = []
    ) -> PlayerView {
        var item = MediaItem(id: "a/1", kind: .music, isVideo: false, title: "Title")
        item.subtitle = "Artist"
        item.collection = "Album"
        item.extent = .finite
        item.duration = 200
        let playback = MediaPlayback(state: state, position: .init(value: position, hostTime: hostTime))
        return PlayerView(
            session: NowPlayingSession(
                id: "app1", kind: .local, owner: "1", application: "org.example.player", name: "Player",
                state: MediaSessionState(content: item, playback: playback, controls: controls)))
    }
}

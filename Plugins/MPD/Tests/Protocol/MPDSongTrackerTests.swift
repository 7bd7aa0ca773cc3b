import MPDProtocol
import Testing

struct MPDSongTrackerTests {
    static let address = "http://10.0.0.2/a.flac"

    static func tracker() -> MPDSongTracker { MPDSongTracker(songID: 5, address: address) }

    @Test func followsASongFromOpeningToItsEnd() {
        var tracker = Self.tracker()
        #expect(tracker.observe(MPDStatus(state: .play, songID: 5)) == .opening)
        #expect(tracker.observe(MPDStatus(state: .play, songID: 5, audioFormat: "44100:16:2")) == .playing)
        #expect(tracker.observe(MPDStatus(state: .pause, songID: 5)) == .playing)
        #expect(tracker.observe(MPDStatus(state: .stop)) == .ended)
        #expect(tracker.observe(MPDStatus(state: .play, songID: 5)) == .ended)
    }

    @Test func endsWhenSomethingElsePlays() {
        var tracker = Self.tracker()
        #expect(tracker.observe(MPDStatus(state: .play, songID: 6)) == .ended)
    }

    @Test func endsWhenStoppedOnTheSong() {
        var tracker = Self.tracker()
        #expect(tracker.observe(MPDStatus(state: .stop, songID: 5)) == .ended)
    }

    @Test(arguments: [
        (
            "Failed to decode http://127.0.0.1:1/x.mp3; CURL failed: Failed to connect to 127.0.0.1 port 1 after 0 ms",
            "unreachable"
        ),
        ("Failed to decode http://h/404; CURL failed: The requested URL returned error: 404", "unreachable"),
        (
            "Failed to decode http://h/mpd.conf; avformat_open_input() failed: Invalid data found when processing input",
            "unsupported"
        ),
        (#"Failed to open audio output"#, "output"),
        (#"Failed to open "speaker" (alsa); Failed to open ALSA device "hw:0,0": Device or resource busy"#, "output"),
        ("something new", "other"),
    ])
    func sortsThePlayersErrors(text: String, kind: String) {
        var tracker = Self.tracker()
        guard case .failed(let failure) = tracker.observe(MPDStatus(state: .stop, songID: 5, error: text)) else {
            Issue.record("not failed")
            return
        }
        let sorted =
            switch failure {
            case .unreachableAddress: "unreachable"
            case .unsupportedFormat: "unsupported"
            case .output: "output"
            case .other: "other"
            }
        #expect(sorted == kind)
        #expect(failure.sentence.contains(text))
    }

    @Test func failsWhenTheQueueCarriedOnPastTheError() {
        var tracker = Self.tracker()
        let status = MPDStatus(state: .play, songID: 6, error: "Failed to decode x; CURL failed: y")
        #expect(tracker.observe(status) == .failed(.unreachableAddress("Failed to decode x; CURL failed: y")))
    }

    @Test func failsWhenABrokenOutputPausedIt() {
        var tracker = Self.tracker()
        let status = MPDStatus(
            state: .pause, songID: 5, audioFormat: "44100:16:2", error: "Failed to open audio output")
        #expect(tracker.observe(status) == .failed(.output("Failed to open audio output")))
    }

    @Test func ignoresAnOldErrorWhileItPlays() {
        var tracker = Self.tracker()
        #expect(
            tracker.observe(MPDStatus(state: .play, songID: 5, audioFormat: "1:1:1", error: "old")) == .playing)
    }

    @Test func adoptsTheSameAddressUnderANewIdentifier() {
        var tracker = Self.tracker()
        let song = MPDSong(MPDStatusTests.part("file: \(Self.address)\nId: 1"))
        let isOurs = tracker.adopt(current: song, status: MPDStatus(state: .pause, songID: 1))
        #expect(isOurs)
        #expect(tracker.songID == 1)
    }

    @Test(arguments: [
        ("file: http://10.0.0.2/b.flac\nId: 5", MPDStatus.State.play),
        ("file: http://10.0.0.2/a.flac\nId: 5", .stop),
        ("file: http://10.0.0.2/a.flac", .play),
    ])
    func adoptsNothingElse(song: String, state: MPDStatus.State) {
        var tracker = Self.tracker()
        let isOurs = tracker.adopt(
            current: MPDSong(MPDStatusTests.part(song)), status: MPDStatus(state: state, songID: 5))
        #expect(!isOurs)
        #expect(tracker.songID == 5)
    }

    @Test func sortsRefusals() {
        func failure(_ text: String) -> MPDPlaybackFailure {
            MPDPlaybackFailure(MPDRefusal(code: .argument, index: 0, command: "addid", text: text))
        }
        #expect(failure("Unsupported URI scheme") == .unsupportedFormat("Unsupported URI scheme"))
        #expect(
            failure("Failed to decode x; CURL failed: y") == .unreachableAddress("Failed to decode x; CURL failed: y"))
        #expect(failure("No such song") == .other("No such song"))
    }

    @Test func placesASongWhereTheQueueCarriesOn() {
        let playing = MPDStatus(state: .play, songPosition: 3, songID: 9)
        #expect(MPDPlacement(playing, version: MPDVersion(0, 23)) == .afterCurrent)
        #expect(MPDPlacement(playing, version: MPDVersion(0, 21)) == .position(4))
        #expect(MPDPlacement(MPDStatus(state: .stop, songPosition: 3), version: MPDVersion(0, 23)) == .last)
        #expect(MPDPlacement(MPDStatus(state: .pause, songPosition: 3), version: MPDVersion(0, 23)) == .last)
        #expect(MPDPlacement.afterCurrent.command(adding: "u") == MPDCommand("addid", "u", "+0"))
        #expect(MPDPlacement.position(4).command(adding: "u") == MPDCommand("addid", "u", "4"))
        #expect(MPDPlacement.last.command(adding: "u") == MPDCommand("addid", "u"))
    }
}

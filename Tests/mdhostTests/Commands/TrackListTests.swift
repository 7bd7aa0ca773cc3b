import HostInterface
import Testing

@testable import mdhost

struct TrackListTests {
    private func option(_ name: String, _ identifier: String, _ language: String? = nil) -> PlaybackState.Option {
        .init(name: name, identifier: identifier, language: language, characteristics: [])
    }

    private var playback: PlaybackState {
        var playback = PlaybackState()
        playback.audioOptions = [
            option("English", "a1", "en-GB"), option("Deutsch", "a2", "de"), option("Director", "2"),
        ]
        playback.legibleOptions = [option("English", "s1", "en-GB"), option("English (US)", "s2", "en-US")]
        playback.currentAudioOption = "a1"
        return playback
    }

    @Test(arguments: [("a2", "a2"), ("2", "2"), ("1", "a1"), ("DE", "de"), ("deutsch", "de"), ("en", "en")])
    func audioIsChosenByIdNumberNameOrLanguage(_ word: String, _ expected: String) throws {
        let chosen = try TrackList.lists(of: playback)[0].command(choosing: word)
        #expect(chosen.kind == .selectAudio)
        let track = playback.audioOptions.first { $0.identifier == chosen.identifier }
        #expect(track?.identifier == expected || track?.language?.hasPrefix(expected) == true)
    }

    @Test func subtitlesCanBeSwitchedOff() throws {
        let list = TrackList.lists(of: playback)[2]
        #expect(try list.command(choosing: "off") == PlaybackCommand(.selectLegible))
        #expect(try list.command(choosing: "en-us").identifier == "s2")
    }

    @Test func whatIsNotThereIsRefused() {
        let lists = TrackList.lists(of: playback)
        #expect(throws: HostError(.invalidArgument, "There is no track “fr”. Offered: en-GB, de, Director.")) {
            try lists[0].command(choosing: "fr")
        }
        #expect(throws: HostError(.notSupported, "There is no audio description to choose.")) {
            try lists[1].command(choosing: "off")
        }
        let several = #expect(throws: HostError.self) { try lists[2].command(choosing: "en") }
        #expect(several?.message.hasPrefix("Several tracks are “en”.") == true)
    }
}

struct ChapterListTests {
    private var chapters: ChapterList {
        var playback = PlaybackState()
        playback.timeRange = .init(start: 100, duration: 90)
        playback.position = .init(value: 150, hostTime: 0, rate: 0)
        playback.segments = [(100.0, 4, "intro"), (130, 0, "main"), (180, 3, "end")].map { start, type, id in
            .init(
                timeRange: .init(start: start, duration: 30), type: type, isMarked: false,
                requiresLinearPlayback: type == 4, identifier: id)
        }
        return ChapterList(playback, now: 0)
    }

    @Test func partsCountFromTheBeginning() {
        #expect(chapters.chapters.map(\.start) == [0, 30, 80])
        #expect(chapters.chapters.map(\.kind) == ["intro", "content", "credits"])
        #expect(chapters.chapters.map(\.isCurrent) == [false, true, false])
        #expect(chapters.chapters.map(\.mustPlay) == [true, false, false])
    }

    @Test(arguments: [("1", 100.0), ("end", 180), ("next", 180), ("previous", 100)])
    func onePartIsMeant(_ word: String, _ start: Double) throws {
        #expect(try chapters.start(of: word) == start)
    }

    @Test(arguments: ["0", "4", "x"])
    func othersAreRefused(_ word: String) {
        #expect(throws: HostError(.invalidArgument, "There is no part “\(word)”. `mdhost chapters` lists them.")) {
            try chapters.start(of: word)
        }
    }

    @Test func withoutPartsThereIsNothingToMoveTo() {
        #expect(throws: HostError(.notSupported, "What plays has no parts.")) {
            try ChapterList(PlaybackState(), now: 0).start(of: "1")
        }
    }
}

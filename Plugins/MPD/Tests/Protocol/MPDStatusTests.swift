import DeviceConnections
import MPDProtocol
import Testing

struct MPDStatusTests {
    static func part(_ lines: String) -> MPDReply.Part {
        MPDReply.Part(
            fields: lines.split(separator: "\n").map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return .init(String(parts[0]), String(parts[1].dropFirst()))
            })
    }

    @Test func readsAPlayingServer() throws {
        let status = try MPDStatus(
            Self.part(
                """
                volume: 30
                playlistlength: 3
                state: play
                song: 1
                songid: 12
                time: 1:20
                elapsed: 1.277
                duration: 20.000
                audio: 44100:16:1
                nextsongid: 13
                """))
        #expect(
            status
                == MPDStatus(
                    state: .play, volume: 30, songPosition: 1, songID: 12, elapsed: 1.277, duration: 20,
                    audioFormat: "44100:16:1", queueLength: 3))
        #expect(status.isActive(12) && !status.isActive(13))
    }

    @Test func readsServersBeforeElapsedAndDuration() throws {
        let status = try MPDStatus(Self.part("volume: -1\nstate: pause\nsongid: 1\ntime: 61:180"))
        #expect(status.volume == nil)
        #expect(status.elapsed == 61 && status.duration == 180)
    }

    @Test func readsAStreamWithoutEnd() throws {
        let status = try MPDStatus(Self.part("state: play\nsongid: 1\ntime: 5:0\nelapsed: 5.1\naudio: 48000:f:2"))
        #expect(status.duration == nil && status.elapsed == 5.1)
    }

    @Test(arguments: [
        ("state: play\nelapsed: 0.000\naudio: 44100:16:2", true), ("state: play\nelapsed: 0.000", false),
        ("state: pause\nelapsed: 0.000\naudio: 44100:16:2", false), ("state: play\naudio: 44100:16:2", false),
        ("state: play\nelapsed: 0.136\naudio: 44100:16:2", false),
    ])
    func tellsWhenASongIsDecodedAndNotHeard(_ lines: String, isBeginning: Bool) throws {
        #expect(try MPDStatus(Self.part(lines)).isBeginning == isBeginning)
    }

    @Test(arguments: ["volume: 30", "state: playing", "state: "])
    func needsAState(lines: String) {
        #expect(throws: MPDError.transport(.malformed("a status without a state"))) { try MPDStatus(Self.part(lines)) }
    }

    @Test func leavesOutNumbersThatAreNone() throws {
        let status = try MPDStatus(
            Self.part("state: play\nvolume: 101\nelapsed: nan\nduration: -3\nsongid: x\ntime: a:b"))
        #expect(status == MPDStatus(state: .play))
    }

    @Test func readsASong() {
        let song = MPDSong(
            Self.part("file: http://a/b\nTitle: One\nArtist: A\nArtist: B\nAlbum: C\nduration: 12.5\nPos: 0\nId: 4"))
        #expect(song?.id == 4 && song?.duration == 12.5)
        #expect(song?.displayTitle == "One")
        #expect(song?.displaySubtitle == "A, B · C")
        #expect(MPDSong(MPDReply.Part()) == nil)
    }

    @Test func showsAStationsNameWhereThereIsNoTitle() {
        #expect(MPDSong(Self.part("file: x\nName: Radio"))?.displayTitle == "Radio")
        let both = MPDSong(Self.part("file: x\nName: Radio\nTitle: Song"))
        #expect(both?.displayTitle == "Song" && both?.displaySubtitle == "Radio")
    }

    @Test func tellsWhatIsMissingForPlayback() {
        let read = MPDPermissions(MPDStatusTests.part("command: status\ncommand: currentsong\ncommand: commands"))
        #expect(!read.allowsPlayback)
        #expect(read.missingForPlayback == ["addid", "deleteid", "playid", "pause", "stop", "seekcur"])
        #expect(MPDPermissions(commands: Set(MPDPermissions.playback)).allowsPlayback)
    }
}

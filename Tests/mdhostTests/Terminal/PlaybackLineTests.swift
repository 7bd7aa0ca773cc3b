import DBus
import HostInterface
import Testing

@testable import HostClient
@testable import mdhost

@Suite("The line that shows what plays")
struct PlaybackLineTests {
    private func line(
        _ session: ClientSession, device: ClientDevice? = nil, now: Double = 100, width: Int = 100
    ) -> String {
        PlaybackLine(session: session, device: device, now: now).text(width: width) { $1 }
    }

    @Test("position, bar, length, title and volume")
    func whole() throws {
        let text = try line(session("Song", playing()), device: device("TV"))
        #expect(text.hasPrefix("▶  0:42 ━"))
        #expect(text.contains("─  4:10  Song · Artist  vol 40 %"))
        #expect(text.count { $0 == "━" } == 7, "42 of 250 s of 40 columns")
    }

    @Test("the position is counted on from the last snapshot and stays inside the length")
    func extrapolation() throws {
        let song = try session("Song", playing())
        #expect(line(song, now: 110).contains("0:52"))
        #expect(line(song, now: 99).contains("0:42"))
        #expect(line(song, now: 10_000).contains("4:10 ━"))
        #expect(try line(session("Song", playing { $0.position.rate = 0 }), now: 110).contains("0:42"))
        #expect(try line(session("Song", playing { $0.position.rate = -2 }), now: 110).contains("0:22"))
    }

    @Test("every state has its sign")
    func signs() throws {
        #expect(try line(session("S", playing { $0.isPlaying = false })).hasPrefix("‖"))
        #expect(try line(session("S", playing { $0.isBuffering = true })).hasPrefix("…"))
        #expect(try line(session("S", state: "starting", playing())).hasPrefix("…"))
        #expect(try line(session("S", state: "ended", playing())).hasPrefix("■"))
        #expect(try line(session("S", state: "failed", playing { $0.isBuffering = true })).hasPrefix("■"))
    }

    @Test("live content has no bar")
    func live() throws {
        let live = playing {
            $0.timeRange.duration = 0
            $0.isLive = true
        }
        let text = try line(session("News", live))
        #expect(text == "▶  0:42   live  News · Artist")
        let begun = playing {
            $0.timeRange.duration = 0
            $0.position.value = 0
            $0.isLive = true
        }
        #expect(try line(session("News", begun)) == "▶  live  News · Artist")
    }

    @Test("volume: the device's, muted on either side, or nothing")
    func volume() throws {
        let silent = try device("TV", with: ["Muted": .boolean(true)])
        let unknown = try device("TV", with: ["Volume": .double(-1)])
        let song = try session("Song", playing())
        #expect(line(song, device: silent).hasSuffix("muted"))
        #expect(try line(session("Song", playing { $0.isMuted = true })).hasSuffix("muted"))
        #expect(line(song, device: unknown).hasSuffix("Artist"))
        #expect(line(song).hasSuffix("Artist"))
        #expect(try line(session("Song", playing { $0.hasAudio = false }), device: device("TV")).hasSuffix("Artist"))
    }

    @Test("it fits every terminal, and the position is there as long as it can be", arguments: 1...120)
    func narrow(_ width: Int) throws {
        let long = String(repeating: "リビング ", count: 30)
        for (title, playback) in [("Song", playing()), (long, playing { $0.timeRange.duration = 40_000 })] {
            let text = try line(session(title, playback), device: device("TV"), width: width)
            #expect(DisplayText.width(text) <= width, "\(text)")
            if width >= 8 { #expect(text.contains("0:42")) }
        }
    }

    @Test("a hostile title stays one harmless line")
    func hostile() throws {
        let text = try line(session("\u{1B}[2J\nSong\u{202E}", playing()))
        #expect(text.contains("[2J Song · Artist") && !text.contains("\u{1B}") && !text.contains("\n"))
    }

    @Test("values that are no numbers do no harm", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func notNumbers(_ value: Double) throws {
        let states = [
            playing { $0.position.value = value }, playing { $0.position.rate = value },
            playing { $0.position.hostTime = value }, playing { $0.timeRange.duration = value },
            playing { $0.timeRange.start = value },
        ]
        for state in states {
            let text = try line(
                session("Song", state), device: device("TV", with: ["Volume": .double(value)]), width: 80)
            #expect(DisplayText.width(text) <= 80)
        }
    }
}

@Suite("Times as people write them")
struct ClockTimeTests {
    @Test(
        "shown",
        arguments: [
            (0, "0:00"), (59.9, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (36_061, "10:01:01"),
            (-5, "0:00"), (.nan, "0:00"), (.infinity, "0:00"), (1e300, "0:00"),
        ] as [(Double, String)])
    func shown(_ seconds: Double, _ text: String) { #expect(ClockTime.text(seconds) == text) }

    @Test(
        "read",
        arguments: [
            ("90", 90), ("90.5", 90.5), ("0", 0), ("1:30", 90), ("01:30", 90), ("1:02:03", 3723), ("75:00", 4500),
            ("1:00.5", 60.5),
        ] as [(String, Double)])
    func read(_ text: String, _ seconds: Double) { #expect(ClockTime.seconds(text) == seconds) }

    @Test(
        "refused",
        arguments: [
            "", ":", "1:", ":30", "1:60", "1:2:3:4", "-1", "+1", "1e3", "0x10", "inf", "nan", "1.5:30", " 1", "1,5",
            "1..5", ".5", "٣", "1000000001", "300000:00:00",
        ])
    func refused(_ text: String) { #expect(ClockTime.seconds(text) == nil) }
}

@Suite("The place in the tables")
struct PlaybackPlaceTests {
    @Test("position and length, “live”, or nothing")
    func place() throws {
        func place(_ change: (inout PlaybackState) -> Void) throws -> String {
            try session("Song", playing(change)).place(at: 100, of: " of ")
        }
        #expect(try place { _ in } == "0:42 of 4:10")
        #expect(try place { $0.position.value = 0 } == "0:00 of 4:10")
        #expect(try place { $0.timeRange.duration = 0 } == "0:42")
        let unknown = try place {
            $0.timeRange.duration = 0
            $0.position.value = 0
        }
        #expect(unknown.isEmpty)
        for (position, text) in [(0.0, "live"), (42, "0:42, live")] {
            let live = try place {
                $0.timeRange.duration = 0
                $0.position.value = position
                $0.isLive = true
            }
            #expect(live == text)
        }
    }
}

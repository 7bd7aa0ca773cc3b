import DBus
import HostCore
import Testing

@testable import HostDesktop

struct SessionBusPlayersTests {
    private func player(_ metadata: [String: DBusValue], status: DBusValue = .string("Playing")) -> MediaPlayer {
        SessionBusPlayers.player(of: 7, ["PlaybackStatus": status, "Metadata": .properties(metadata)])
    }

    @Test func whatAPlayerShows() {
        let shown = player([
            "xesam:title": .string("Aria"), "xesam:artist": .array(of: "s", [.string("One"), .string("Two")]),
            "mpris:artUrl": .string("https://example.org/cover.jpg"),
        ])
        #expect(
            shown
                == MediaPlayer(
                    processID: 7, isPlaying: true, title: "Aria", artist: "One, Two",
                    artworkURL: "https://example.org/cover.jpg"))
        #expect(!player([:], status: .string("Paused")).isPlaying)
        #expect(player([:]) == MediaPlayer(processID: 7, isPlaying: true))
        #expect(SessionBusPlayers.player(of: 7, [:]) == MediaPlayer(processID: 7, isPlaying: false))
    }

    /// Every program of this user can be a player, also one in a sandbox.
    @Test func whatIsNotToBeShown() {
        let long = player([
            "xesam:title": .string(String(repeating: "x", count: 10_000)),
            "xesam:artist": .array(of: "s", Array(repeating: .string("y"), count: 5_000)),
        ])
        #expect(long.title?.count == 300 && long.artist == "y, y, y, y, y, y, y, y")
        let lines = player(["xesam:title": .string(" A\r\nB\u{1B}[2J\u{0}\t C "), "xesam:artist": .string("no list")])
        #expect(lines.title == "A B[2J C" && lines.artist == nil)
        for address in ["file:///etc/passwd", "data:image/png;base64,AA==", "javascript:1", "", "cover.jpg"] {
            #expect(player(["mpris:artUrl": .string(address)]).artworkURL == nil, "\(address)")
        }
        #expect(
            player(["xesam:title": .int32(3)], status: .boolean(true)) == MediaPlayer(processID: 7, isPlaying: false))
        #expect(SessionBusPlayers.player(of: 7, ["Metadata": .string("x")]).title == nil)
    }
}

import Foundation
import HostClient
import Testing

/// Every kind of content, state and command of an app's own session, as the desktop and the command line have it.
@Suite(
    .serialized, .enabled(if: Desktop.isAvailable, "needs dbus-daemon, playerctl and busctl"),
    .timeLimit(.minutes(2 * slowness)))
struct PublishedContentTests {
    @Test func everyKindOfContentIsShown() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show")
            let player = try await desktop.player()
            for (kind, line) in [
                ("podcast", "podcast|Show|240000000"), ("movie", "movie||240000000"),
                ("episode", "episode|Show|240000000"), ("book", "book|Author|240000000"),
                ("radio", "radio|Station|"), ("home", "home|Nursery|"), ("generic", "generic|Rain|"),
                ("music", "music|Artist|240000000"),
            ] {
                app.tell("kind \(kind)", "item \(kind)", "title \(kind)")
                try await eventually("\(kind) as \(line)") {
                    let words = ["metadata", "--format", "{{title}}|{{artist}}|{{mpris:length}}"]
                    return try await Command.run(
                        ["/usr/bin/playerctl", "--player", player] + words, environment: desktop.environment
                    ).output == line + "\n"
                }
            }
            let music = try await desktop.mdhost("now-playing", "--json").output
            #expect(music.contains("\"isExplicit\":true") && music.contains("\"genre\":\"Test\""), "\(music)")
        }
    }

    @Test func everyStateIsShownAndThePositionCountsOn() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show", "playing 60")
            let player = try await desktop.player()
            func status(_ word: String) async throws {
                try await eventually(word) {
                    try await desktop.playerctl("--player", player, "status").output == word + "\n"
                }
            }
            func position() async throws -> Double {
                let text = try await desktop.playerctl("--player", player, "position").output
                return Double(text.trimmingCharacters(in: .newlines)) ?? -1
            }
            try await status("Playing")
            let first = try await position()
            #expect((60..<120).contains(first))
            // Nothing is published meanwhile.
            try await eventually("a later position") { try await position() > first + 0.2 }
            for (state, word) in [("paused 30", "Paused"), ("stopped", "Stopped"), ("playing 10 2", "Playing")] {
                app.tell(state)
                try await status(word)
            }
            app.tell("buffering")
            try await eventually("buffering") {
                try await desktop.mdhost("now-playing", "--json").output.contains("buffering")
            }
        }
    }

    @Test func feedbackSkipsAndHeldButtonsArrive() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show", "playing 60")
            _ = try await desktop.player()
            func does(_ words: String..., line: String) async throws {
                let result = try await Command.run(
                    [PrivateDaemon.program, "now-playing"] + words, environment: desktop.environment)
                #expect(result.status == 0, "\(words): \(result)")
                try await app.printed(line)
            }
            try await does("like", line: "command feedback positive")
            try await does("dislike", line: "command feedback negative")
            try await does("unrate", line: "command feedback neutral")
            try await does("hold", "forward", "--for", "0.2", line: "command forward ends")
            #expect(app.lines.contains("command forward begins"))
            app.tell("skips on")
            try await eventually("that it only skips") {
                try await desktop.mdhost("now-playing", "seek", "1:00").status != 0
            }
            try await does("seek", "+30", line: "command skip 30.0")
            try await does("seek", "-15", line: "command skip back 15.0")
            #expect(!app.lines.contains { $0.hasPrefix("command seek") })
        }
    }

    @Test func aPictureIsLoadedByURLSession() async throws {
        try await Desktop.open { desktop in
            let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 3])
            try picture.write(to: URL(filePath: desktop.folder + "/cover.png"))
            let words = ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", desktop.folder, "0"]
            let server = try RunningCommand(["/usr/bin/python3"] + words)
            try await eventually("the server's port") { server.output.contains(" port ") }
            let port = try #require(server.output.firstMatch(of: #/ port ([0-9]+) /#)?.1)
            let app = try desktop.app()
            app.tell("picture http://127.0.0.1:\(port)/cover.png", "show")
            let player = try await desktop.player()
            var url = ""
            try await eventually("the picture") {
                url = try await desktop.playerctl("--player", player, "metadata", "mpris:artUrl").output
                    .trimmingCharacters(in: .newlines)
                return url.hasPrefix("file://")
            }
            #expect(try Data(contentsOf: try #require(URL(string: url))) == picture)
            await server.stop()
        }
    }

    /// The order of the article: the audio session first, then the request.
    @Test func anActiveAudioSessionClaimsTheFirstPlace() async throws {
        try await Desktop.open { desktop in
            let (one, two) = (try desktop.app(), try desktop.app())
            one.tell("title One", "show", "playing 0")
            try await one.printed("roles true true")
            two.tell("title Two", "show", "audio on")
            try await two.printed("granted audio")
            try await two.printed("roles true true")
            try await one.printed("roles true false")
            two.tell("application")
            try await two.printed("granted application")
            two.tell("audio off")
            try await two.printed("granted audio", times: 2)
            // Its end lets the other one be first again.
            two.tell("end")
            try await one.printed("roles true true", times: 2)
        }
    }

    @Test func aRequestFromTheBackgroundHasNoEffect() async throws {
        try await Desktop.open { desktop in
            let one = try desktop.app()
            one.tell("title One", "show", "playing 0")
            try await one.printed("roles true true")
            let hidden = try desktop.app(isInForeground: false)
            hidden.tell("title Hidden", "show", "system")
            try await hidden.printed("granted system")
            #expect(!hidden.lines.contains("roles true true"))
            #expect(try await desktop.mdhost("now-playing", "--json").output.contains("\"title\":\"One\""))
        }
    }
}

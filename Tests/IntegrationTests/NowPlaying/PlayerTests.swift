import Foundation
import HostClient
import Testing

/// Apps as players of the desktop, seen by programs that don't know mdhost.
@Suite(
    .serialized, .enabled(if: Desktop.isAvailable, "needs dbus-daemon, playerctl and busctl"),
    .timeLimit(.minutes(2 * slowness)))
struct PlayerTests {
    /// Status, title, artist, album and length in microseconds, as playerctl has them.
    private func shown(_ desktop: Desktop, _ player: String) async throws -> String {
        try await desktop.playerctl(
            "--player", player, "metadata", "--format",
            "{{status}}|{{title}}|{{artist}}|{{album}}|{{mpris:length}}"
        ).output.trimmingCharacters(in: .newlines)
    }

    @Test func aPlayerIsThereExactlyWhileThereIsSomethingToShow() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            try await app.printed("roles false false")
            #expect(try await desktop.players() == [])
            app.tell("show")
            let player = try await desktop.player()
            #expect(player == "mdhost.PublishingApp_app1")
            #expect(try await shown(desktop, player) == "Paused|Title|Artist|Album|240000000")
            let root = try await desktop.run(
                "/usr/bin/busctl", "--user", "get-property", "org.mpris.MediaPlayer2." + player,
                "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2", "Identity")
            #expect(root.output == "s \"PublishingApp\"\n")
            app.tell("hide")
            try await eventually("its end") { try await desktop.players() == [] }
            app.tell("show")
            _ = try await desktop.player()
            app.tell("end")
            try await eventually("its end") { try await desktop.players() == [] }
        }
    }

    @Test func aPlayerGoesWithItsProcess() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show")
            _ = try await desktop.player()
            app.process.send(SIGKILL)
            try await eventually("its end") { try await desktop.players() == [] }
        }
    }

    @Test func everyCommandArrivesAndIsSeen() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show")
            let player = try await desktop.player()
            func ctl(_ words: String...) async throws {
                let result = try await Command.run(
                    ["/usr/bin/playerctl", "--player", player] + words, environment: desktop.environment)
                #expect(result.status == 0, "\(words): \(result)")
            }
            func becomes(_ what: String, _ words: String...) async throws {
                try await eventually("\(words) = \(what)") {
                    try await Command.run(
                        ["/usr/bin/playerctl", "--player", player] + words, environment: desktop.environment
                    ).output == what + "\n"
                }
            }
            try await ctl("play")
            try await app.printed("command play")
            try await becomes("Playing", "status")
            try await ctl("pause")
            try await app.printed("command pause")
            try await becomes("Paused", "status")
            try await ctl("play-pause")
            try await app.printed("command toggle")
            try await ctl("position", "100")
            try await app.printed("command seek 100.0")
            try await ctl("pause")
            let position = try await desktop.playerctl("--player", player, "position").output
            #expect(
                Double(position.trimmingCharacters(in: .newlines)).map { (100...115).contains($0) } == true,
                "\(position)")
            try await ctl("position", "20-")
            try await eventually("a step back") {
                app.lines.last { $0.hasPrefix("command seek") }.map { Double($0.dropFirst(13)) ?? 0 < 99 } ?? false
            }
            try await ctl("next")
            try await app.printed("command next")
            try await ctl("previous")
            try await app.printed("command previous")
            try await ctl("loop", "Track")
            try await app.printed("command repeat one")
            try await becomes("Track", "loop")
            try await ctl("shuffle", "On")
            try await app.printed("command shuffle items")
            try await becomes("On", "shuffle")
            #expect(try await desktop.busctl(player, "set-property", "Rate", "d", "2").status == 0)
            try await app.printed("command rate 2.0")
            try await eventually("the rate") {
                try await desktop.busctl(player, "get-property", "Rate").output == "d 2\n"
            }
            try await ctl("stop")
            try await app.printed("command stop")
        }
    }

    @Test func whatCannotBeUsedIsSaidToBeSoAndNeverCalled() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("next off", "show")
            let player = try await desktop.player()
            #expect(try await desktop.busctl(player, "get-property", "CanGoNext").output == "b false\n")
            let refused = try await desktop.busctl(player, "call", "Next")
            #expect(refused.status != 0 && refused.errors.contains("does not offer that now"), "\(refused)")
            #expect(try await desktop.playerctl("--player", player, "next").status != 0)
            #expect(try await desktop.busctl(player, "set-property", "Volume", "d", "0.5").status != 0)
            app.tell("next on")
            try await eventually("the button") {
                try await desktop.busctl(player, "get-property", "CanGoNext").output == "b true\n"
            }
            #expect(!app.lines.contains("command next"))
        }
    }

    @Test func failureIsVisibleWithinThreeSeconds() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("manner fails", "show")
            let player = try await desktop.player()
            let failed = try await desktop.busctl(player, "call", "Play")
            #expect(failed.status != 0 && failed.errors.contains("The needle is broken."), "\(failed)")
            let status = try await desktop.mdhost("now-playing", "--json")
            #expect(status.output.contains("The needle is broken."), "\(status)")
            let command = try await desktop.mdhost("now-playing", "play")
            #expect(command.status == 1 && command.errors.contains("The needle is broken."), "\(command)")
            app.tell("manner hangs")
            let late = try await desktop.mdhost("now-playing", "play")
            #expect(late.status == 5 && late.duration < .seconds(10) * slowness, "\(late)")
            app.tell("manner works")
            let works = try await desktop.mdhost("now-playing", "play")
            #expect(works.status == 0, "\(works)")
            try await eventually("no error any more") {
                try await !desktop.mdhost("now-playing", "--json").output.contains("lastError")
            }
        }
    }

    @Test func oneTurnIsOneSignal() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show", "paused 5")
            _ = try await desktop.player()
            let monitor = try await desktop.monitor()
            func signals(_ member: String) -> Int {
                monitor.output.components(separatedBy: "member=" + member).count - 1
            }
            app.tell("playing 5")
            try await eventually("that it plays") { monitor.output.contains("\"Playing\"") }
            #expect(signals("Seeked") == 0, "it goes on where it stood")
            let before = signals("PropertiesChanged")
            app.tell("all Everything")
            try await eventually("the change") { monitor.output.contains("Everything Album") }
            app.tell("title Marker")
            try await eventually("the marker") { monitor.output.contains("Marker") }
            #expect(signals("PropertiesChanged") == before + 2, "\(monitor.output)")
            app.tell("playing 200")
            try await eventually("the jump") { monitor.output.contains("int64 200") }
            #expect(monitor.output.contains("CanGoNext"))
            await monitor.stop()
        }
    }

    @Test func aStormIsGathered() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show")
            _ = try await desktop.player()
            let monitor = try await desktop.monitor()
            app.tell("storm 1000")
            try await eventually("the last of them", within: .seconds(30)) { monitor.output.contains("Storm 1000\"") }
            let signals = monitor.output.components(separatedBy: "member=PropertiesChanged").count - 1
            // At most one a frame, for its second and the delay of a slow machine.
            let duration = app.lines.contains("calm") ? 1 : 2
            #expect(signals >= 1 && signals <= 200 * duration, "\(signals)")
            await monitor.stop()
        }
    }

    @Test func thePictureIsAFile() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            let picture = desktop.folder + "/cover.bin"
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: URL(filePath: picture))
            app.tell("picture \(picture)", "show")
            let player = try await desktop.player()
            var url = ""
            try await eventually("the picture") {
                url = try await desktop.playerctl("--player", player, "metadata", "mpris:artUrl").output
                    .trimmingCharacters(in: .newlines)
                return url.hasPrefix("file://")
            }
            try await app.printed("artwork \(picture) 512x512")
            #expect(url.hasSuffix(".png") && url.contains(desktop.folder + "/cache/mdhost/artwork/"), "\(url)")
            let kept = try Data(contentsOf: try #require(URL(string: url)))
            #expect(kept == (try Data(contentsOf: URL(filePath: picture))))
            // Another program wants it larger.
            let larger = try await desktop.run(
                "/usr/bin/busctl", "--user", "call", "org.mdhost", "/org/mdhost/media/app1",
                "org.mdhost.MediaSession1", "Artwork", "dd", "1000", "800")
            #expect(larger.output.contains("image/png"), "\(larger)")
            try await app.printed("artwork \(picture) 1000x800")
            // An invalid picture is left out.
            try Data("text".utf8).write(to: URL(filePath: picture + "2"))
            app.tell("picture \(picture)2")
            try await app.printed("artwork \(picture)2 512x512")
            #expect(try await desktop.playerctl("--player", player, "metadata", "mpris:artUrl").output.isEmpty)
            // Although there is one by now, it isn't requested again until another item shows it.
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 4]).write(to: URL(filePath: picture + "2"))
            app.tell("title Later")
            try await eventually("the title") { try await shown(desktop, player).contains("Later") }
            #expect(app.lines.count { $0.hasPrefix("artwork \(picture)2 ") } == 1)
            app.tell("item track-2")
            try await app.printed("artwork \(picture)2 512x512", times: 2)
            try await eventually("the picture of the other item") {
                try await desktop.playerctl("--player", player, "metadata", "mpris:artUrl").output.hasPrefix("file://")
            }
            // It is kept for another item with the same picture, too.
            app.tell("item track-3", "title Last")
            try await eventually("the title") { try await shown(desktop, player).contains("Last") }
            #expect(app.lines.count { $0.hasPrefix("artwork \(picture)2 ") } == 2)
        }
    }

    @Test func playersAreBackAfterTheDaemonWasKilled() async throws {
        try await Desktop.open { desktop in
            let app = try desktop.app()
            app.tell("show", "title Survivor")
            let player = try await desktop.player()
            try await eventually("its title") { try await shown(desktop, player).contains("Survivor") }
            let daemon = try #require(desktop.daemon)
            kill(daemon, SIGKILL)
            try await eventually("the next daemon") { desktop.daemon.map { $0 != daemon } ?? false }
            let next = try await desktop.player()
            app.tell("title Later")
            try await eventually("the next update") { try await shown(desktop, next).contains("Later") }
        }
    }
}

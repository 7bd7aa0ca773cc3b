import Foundation
import HostClient
import Testing

extension Product {
    /// Playback on real receivers, as a player of the desktop.
    @Suite(.enabled(if: Desktop.isAvailable, "needs playerctl")) struct RoutePlayerTests {
        private func playerctl(_ words: String...) async throws -> CommandResult {
            try await Command.run(["/usr/bin/playerctl"] + words)
        }

        @Test func aRendererIsControlledByPlayerctl() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--detach")
                try await Renderer.livingRoom.awaitState("PLAYING")
                var name = ""
                try await eventually("the player") {
                    name = try await playerctl("--list-all").output.trimmingCharacters(in: .newlines)
                    return name.hasPrefix("mdhost.Living_Room_route")
                }
                func ctl(_ words: String...) async throws -> String {
                    let result = try await Command.run(["/usr/bin/playerctl", "--player", name] + words)
                    #expect(result.status == 0, "\(words): \(result)")
                    return result.output.trimmingCharacters(in: .newlines)
                }
                try await eventually("its status") { try await ctl("status") == "Playing" }
                #expect(try await ctl("metadata", "xesam:url") == LabMedia.mp3)
                #expect(try await !ctl("metadata", "title").isEmpty)
                _ = try await ctl("pause")
                try await Renderer.livingRoom.awaitState("PAUSED_PLAYBACK")
                try await eventually("that it is paused") { try await ctl("status") == "Paused" }
                _ = try await ctl("play")
                try await Renderer.livingRoom.awaitState("PLAYING")
                _ = try await ctl("volume", "0.35")
                try await eventually("the volume") { try await Renderer.livingRoom.volume() == 35 }
                try await eventually("the volume here") { try await ctl("volume").hasPrefix("0.35") }
                try await Renderer.livingRoom.setVolume(60)
                try await eventually("the device's own change") { try await ctl("volume").hasPrefix("0.6") }
                _ = try await ctl("position", "20")
                try await eventually("the position") { try await Renderer.livingRoom.position() >= 20 }
                try await eventually("the position here") { Double(try await ctl("position")) ?? 0 >= 19 }
                // It has no next one, and says so.
                #expect(try await playerctl("--player", name, "next").status != 0)
                let status: ClientMediaSession = try JSONLines.one(try await home.succeed("now-playing", "--json"))
                #expect(status.isSystemPrimary && status.kind == "route" && status.name == "Living Room")
                try await home.succeed("now-playing", "volume", "25")
                try await eventually("the volume") { try await Renderer.livingRoom.volume() == 25 }
                _ = try await ctl("stop")
                try await Renderer.livingRoom.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                try await eventually("its end") { try await playerctl("--list-all").output.isEmpty }
            }
        }

        @Test func aDevicesPictureIsAFile() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let room = try await home.device("Living Room").path
                let reply = try await Command.run([
                    "/usr/bin/busctl", "--user", "call", "org.mdhost", room, "org.mdhost.Device1", "Play", "sa{sv}",
                    LabMedia.mp3, "1", "artwork", "s", "http://10.77.0.4:8099/cover.jpg",
                ])
                #expect(reply.status == 0, "\(reply)")
                var text = ""
                try await eventually("the picture") {
                    text = try await playerctl("metadata", "mpris:artUrl").output.trimmingCharacters(in: .newlines)
                    return text.hasPrefix("file://")
                }
                let url = try #require(URL(string: text))
                #expect(text.hasSuffix(".jpg"))
                #expect(try Data(contentsOf: url).starts(with: [0xFF, 0xD8, 0xFF]))
                try await home.succeed("stop")
            }
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Rygel, and several receivers at the same time.
    @Suite struct ManyReceiversTests {
        @Test func rygelPlaysAndObeys() async throws {
            let rygel = try await Renderer.rygel()
            try await Household.open { home in
                try await home.succeed("play", "audio/video", LabMedia.mp3, "--detach")
                try await rygel.awaitState("PLAYING")
                try await home.session(on: rygel.name, "length") { abs($0.playback.timeRange.duration - 30) < 0.2 }
                try await home.succeed("pause")
                try await rygel.awaitState("PAUSED_PLAYBACK")
                try await home.succeed("seek", "12")
                try await home.succeed("resume")
                try await rygel.awaitState("PLAYING")
                try await eventually("12 s") { (12..<18).contains(try await rygel.position()) }
                try await home.succeed("volume", rygel.name, "33")
                try await eventually("volume 33") { try await rygel.volume() == 33 }
                try await rygel.setVolume(60)
                try await eventually("volume 60") { try await isNear(home.device(rygel.name).volume, 0.6) }
                try await rygel.pause()
                try await home.session(on: rygel.name, "paused") { !$0.playback.isPlaying }
                try await home.succeed("stop")
                try await rygel.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                try await home.quit()
            }
        }

        @Test func everyReceiverPlaysItsOwn() async throws {
            let rygel = try await Renderer.rygel()
            try await Household.open { home in
                let pairing = try await home.run("pair", "MPD Room", input: "sesame\n")
                #expect(pairing.status == 0, "\(pairing)")
                let wanted = [
                    ("Living Room", LabMedia.mp3), (rygel.name, LabMedia.flac), ("MPD Room", LabMedia.mp3),
                    ("Open Room", LabMedia.flac),
                ]
                // At the same moment, as several apps would.
                let commands = try wanted.map { try home.start("play", $0.0, $0.1, "--detach") }
                for command in commands { #expect(await command.waitForExit() == 0, "\(command.errors)") }
                try await Renderer.livingRoom.awaitState("PLAYING")
                try await rygel.awaitState("PLAYING")
                for server in [MusicServer.lockedRoom, .openRoom] { try await server.awaitState("playing") }
                let sessions = try await home.sessions()
                #expect(sessions.count == 4 && Set(sessions.map(\.device)).count == 4)

                let unnamed = try await home.run("pause")
                #expect(unnamed.status == 3 && unnamed.errors.contains("Several devices play"), "\(unnamed)")
                try await home.succeed("pause", "Open Room")
                try await MusicServer.openRoom.awaitState("paused")
                #expect(try await MusicServer.lockedRoom.state() == "playing")
                #expect(try await Renderer.livingRoom.state() == "PLAYING")
                #expect(try await rygel.state() == "PLAYING")

                // The daemon leaves none of them playing.
                try await home.quit()
                try await Renderer.livingRoom.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                try await rygel.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                for server in [MusicServer.lockedRoom, .openRoom] { try await server.awaitState("stopped") }
            }
        }

        @Test func aNewPlayTakesTheDeviceOver() async throws {
            try await Household.open { home in
                let first = try home.start("play", "Living Room", LabMedia.mp3, "--json")
                try await Renderer.livingRoom.awaitState("PLAYING")
                try await home.succeed("play", "Living Room", LabMedia.flac, "--detach")
                try await eventually("the new address") { try await Renderer.livingRoom.address() == LabMedia.flac }
                try await Renderer.livingRoom.awaitState("PLAYING")
                _ = await first.waitForExit()
                let states = try JSONLines.all(first.output, as: ClientSession.self)
                #expect(states.last.map { $0.isOver } == true, "\(first.output) \(first.errors)")
                let sessions = try await home.sessions()
                #expect(sessions.map(\.source) == [LabMedia.flac])
            }
        }
    }
}

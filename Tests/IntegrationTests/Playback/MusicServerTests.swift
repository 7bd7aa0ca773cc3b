import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Playing an address on MPD, with `mpc` as the witness.
    @Suite struct MusicServerTests {
        private let server = MusicServer.openRoom
        private let name = "Open Room"

        @Test func whatPlaysIsToldAndObeys() async throws {
            try await Household.open { home in
                try await home.succeed("play", name, LabMedia.mp3, "--detach")
                try await server.awaitState("playing")
                #expect(try await server.address() == LabMedia.mp3)
                let session = try await home.session(on: name, "tags and length") {
                    $0.title == "Lab Tone" && $0.subtitle.hasPrefix("The Oscillators")
                        && $0.playback.timeRange.duration > 29
                }
                #expect(session.playback.isPlaying)
                try await home.succeed("pause")
                try await server.awaitState("paused")
                try await home.succeed("resume")
                try await server.awaitState("playing")
                try await home.succeed("seek", "15")
                try await eventually("15 s") { (15..<20).contains(try await server.position()) }
                let moved = try await home.session(on: name, "15 s") { $0.playback.position.value >= 15 }
                let (told, real) = (moved.playback.position(at: monotonicNow()), try await server.position())
                #expect(abs(told - real) < 1.6, "\(told) s told, \(real) s at the device")
                try await home.succeed("volume", name, "45")
                try await eventually("volume 45") { try await server.volume() == 45 }
                try await home.succeed("stop", name)
                try await server.awaitState("stopped")
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test func whatHappensAtTheServerIsSeen() async throws {
            try await Household.open { home in
                try await home.succeed("play", name, LabMedia.flac, "--detach")
                try await home.session(on: name, "playing") { $0.playback.isPlaying }
                try await server.mpc("pause")
                try await home.session(on: name, "paused") { !$0.playback.isPlaying }
                try await server.mpc("play")
                try await home.session(on: name, "playing") { $0.playback.isPlaying }
                try await server.mpc("volume", "63")
                try await eventually("volume 63") { try await isNear(home.device(name).volume, 0.63) }
                try await server.mpc("seek", "0:22")
                try await home.session(on: name, "22 s") {
                    (21..<27).contains($0.playback.position(at: monotonicNow()))
                }
                try await server.mpc("stop")
                try await eventually("the end of the session") { try await home.sessions().isEmpty }
            }
        }

        @Test func muteIsRefusedWhereTheServerHasNone() async throws {
            try await Household.open { home in
                let result = try await home.run("mute", name, "--json")
                #expect(result.status == 6, "\(result)")
                #expect(try JSONLines.one(result.errors, as: PrintedError.self).error.code == "not-supported")
            }
        }

        @Test func aCommandInFrontEndsWithTheTrack() async throws {
            try await Household.open { home in
                let result = try await home.run("play", name, LabMedia.mp3, "--from", "27")
                #expect(result.status == 0 && result.output.isEmpty, "\(result)")
                try await server.awaitState("stopped")
            }
        }

        @Test func aMissingAddressIsAnErrorWithTheServersReason() async throws {
            try await Household.open { home in
                let result = try await home.run("play", name, "http://10.77.0.4:8099/nothing.mp3", "--json")
                #expect([1, 5, 6].contains(result.status), "\(result)")
                let error = try JSONLines.one(result.errors, as: PrintedError.self).error
                #expect(!error.message.isEmpty, "\(result)")
                #expect(try await home.sessions().isEmpty)
            }
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Playback by address to Kodi, checked by its own reports.
    @Suite(Screen.IsThere()) struct ScreenTests {
        private let screen = Screen.kodi
        private static let clip = "http://10.77.0.4:8099/clip.mp4"

        @Test func obeysAndIsObeyed() async throws {
            try await screen.seenOnly(by: "AirPlay") { home in
                try await home.succeed("play", screen.name, Self.clip, "--detach")
                let session = try await home.session(on: screen.name, "its length") {
                    $0.playback.isPlaying && abs($0.playback.timeRange.duration - 20) < 0.5
                }
                let told = session.playback.position(at: monotonicNow())
                let shown = try #require(try await screen.playback())
                #expect(abs(told - shown.time.total) < 1.5 && shown.speed == 1, "\(told) s, \(shown)")

                try await home.succeed("pause", screen.name)
                try await eventually("Kodi pauses") { try await screen.playback()?.speed == 0 }
                try await home.succeed("seek", screen.name, "0:12")
                try await eventually("Kodi is at 12 s") {
                    abs((try await screen.playback()?.time.total ?? 0) - 12) < 0.5
                }
                try await home.session(on: screen.name, "12 s") {
                    !$0.playback.isPlaying && abs($0.playback.position(at: monotonicNow()) - 12) < 0.5
                }
                try await screen.pressPause()
                try await home.session(on: screen.name, "resumed there") { $0.playback.isPlaying }
                try await screen.pressPause()
                try await home.session(on: screen.name, "paused there") { !$0.playback.isPlaying }

                try await home.succeed("volume", screen.name, "40")
                try await eventually("40 %") { try await screen.volume() == 40 }
                try await home.succeed("stop", screen.name)
                try await eventually("the end") { try await screen.playback() == nil }
                try await home.quit()
            }
        }

        @Test func aLocalFilePlaysToItsEnd() async throws {
            try await screen.playsAFileToItsEnd(seenBy: "AirPlay")
        }

        /// Kodi continues by itself, so the next process only has to read its state.
        @Test func itPlaysOnWhenTheExtensionDies() async throws {
            try await screen.seenOnly(by: "AirPlay") { home in
                try await home.succeed("play", screen.name, Self.clip, "--detach")
                try await home.session(on: screen.name, "playing") { $0.playback.isPlaying }
                try await eventually("2 s") { try await screen.playback()?.time.total ?? 0 > 2 }
                try await home.killExtension("org.mdhost.airplay")
                try await home.session(on: screen.name, "under control again", within: .seconds(20)) {
                    $0.state == "active" && $0.playback.isPlaying && $0.playback.timeRange.duration > 19
                }
                let shown = try #require(try await screen.playback())
                #expect(shown.time.total > 2, "it did not begin anew")
                try await home.succeed("stop", screen.name)
                try await eventually("the end") { try await screen.playback() == nil }
                try await home.quit()
            }
        }
    }
}

import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// `mdhost screen` to `examples/raw-display`, a third-party extension that takes live video, and mpv, which shows it.
    @Suite(
        .enabled(
            if: RawDisplay.missing == nil && SoundDesktop.missing(.pipeWire) == nil,
            "needs Xvfb, mpv, PipeWire, WirePlumber and PulseAudio's utilities"))
    struct DeliveredScreenTests {
        private static let name = RawDisplay.name
        private static let `extension` = "org.example.raw-display"

        private func silentScreen(_ home: Household) throws -> RunningCommand {
            try home.start("screen", Self.name, "--display", TestDesktop.display, "--no-sound")
        }

        /// The time that was painted moments before.
        private func seen(_ display: RawDisplay) async throws -> TestDesktop.Reading {
            var reading: TestDesktop.Reading?
            try await eventually("a time on the display", within: .seconds(30)) {
                reading = try await display.reading(seconds: 2)
                return reading?.delay.median != nil
            }
            return try #require(reading)
        }

        @Test func theScreenIsSeenAndItsSoundHeard() async throws {
            try await RawDisplay.open(hasSound: true) { home, desktop, display in
                try await TestDesktop.showingTheTime {
                    let command = try home.start("screen", Self.name, "--display", TestDesktop.display)
                    let session = try await home.session(on: Self.name, "playing", within: .seconds(30)) {
                        $0.playback.isPlaying
                    }
                    #expect(session.playback.isLive && session.source == "stream:")
                    let reading = try await seen(display)
                    #expect(try #require(reading.delay.median) < 2000, "\(reading)")
                    let noise = try TestNoise(seconds: 2, rate: 48_000, in: home.folder)
                    // Bit for bit, once the sound server of a busy machine has kept up for as long.
                    try await eventually("the sound of the desktop", within: .seconds(60)) {
                        let played = try await desktop.run("paplay", noise.path)
                        #expect(played.status == 0, "\(played)")
                        return display.heard.range(of: noise.samples) != nil
                    }
                    command.send(SIGINT)
                    #expect(await command.waitForExit() == 0, "\(command.errors)")
                    let showing =
                        "Showing the X display \(TestDesktop.display) (1280x720) and the sound of this computer"
                    #expect(command.errors.contains(showing), "\(command.errors)")
                    #expect(command.errors.contains("Showed "), "\(command.errors)")
                    #expect(try await home.sessions().isEmpty)
                }
                #expect(
                    try await ArticleDevice.log("requests", of: Self.extension, home) == [
                        "notice activate Raw Hall for [realtime-audio, realtime-video]", "notice start the delivery",
                        "notice stop the delivery", "notice deactivate Raw Hall",
                    ])
                try await eventually("the word about the quality") {
                    try await home.device(Self.name).lastDeliveryPassed == true
                }
            }
        }

        /// The next process goes on at a key frame, with the same capture.
        @Test func itGoesOnWhenTheExtensionDies() async throws {
            try await RawDisplay.open { home, _, display in
                try await TestDesktop.showingTheTime {
                    let command = try silentScreen(home)
                    _ = try await seen(display)
                    try await home.killExtension(Self.extension)
                    // It shows the current time, not an old picture.
                    _ = try await seen(display)
                    #expect(command.errors.contains("without sound"), "\(command.errors)")
                    command.send(SIGINT)
                    #expect(await command.waitForExit() == 0, "\(command.errors)")
                }
            }
        }

        @Test func theEndOfTheDisplayIsASentence() async throws {
            try await RawDisplay.open { home, _, display in
                try await TestDesktop.showingTheTime {
                    let command = try silentScreen(home)
                    try await home.session(on: Self.name, "playing", within: .seconds(30)) { $0.playback.isPlaying }
                    await display.stop()
                    #expect(await command.waitForExit() != 0)
                    #expect(command.errors.contains("The display left the connection"), "\(command.errors)")
                    #expect(try await home.sessions().isEmpty)
                }
            }
        }

        @Test func theEndOfTheCaptureIsTheEndOfTheSession() async throws {
            try await RawDisplay.open { home, _, _ in
                var command: RunningCommand?
                try await TestDesktop.showingTheTime {
                    command = try silentScreen(home)
                    try await home.session(on: Self.name, "playing", within: .seconds(30)) { $0.playback.isPlaying }
                }
                let ended = try #require(command)
                #expect(await ended.waitForExit() == 1)
                #expect(ended.errors.contains("is gone"), "\(ended.errors)")
                try await eventually("the end") { try await home.sessions().isEmpty }
            }
        }
    }
}

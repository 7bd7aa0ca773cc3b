import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// This computer as a device, with the real daemon, the confined extension and real sound servers.
    @Suite(
        .enabled(
            if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
            "needs PipeWire, WirePlumber, PulseAudio and its utilities"))
    struct ThisComputerTests {
        private static let name = "This computer"

        private func open(
            _ kind: SoundDesktop.Kind, _ body: (Household, SoundDesktop) async throws -> Void
        ) async throws {
            try await SoundDesktop.open(kind) { desktop in
                let names = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "XDG_CONFIG_HOME"]
                try await Household.open(desktop.environment.filter { names.contains($0.key) }) { home in
                    try await body(home, desktop)
                }
            }
        }

        /// Records what the computer plays meanwhile, and checks that it is the noise.
        private func isHeard(
            _ noise: TestNoise, _ desktop: SoundDesktop, _ kind: SoundDesktop.Kind,
            while body: () async throws -> Void
        ) async throws {
            let path = desktop.folder + "/heard.raw"
            let recording = try desktop.begin(
                "parec", "-d", "@DEFAULT_MONITOR@", "--raw", "--format=s16le", "--rate=44100", "--channels=2",
                "--latency-msec=50", path)
            try await body()
            func recorded() -> Data { (try? Data(contentsOf: URL(filePath: path))) ?? Data() }
            try await eventually("the samples") { recorded().count { $0 != 0 } > noise.samples.count / 2 }
            // PipeWire resamples to the rate of its graph, and back; a recorder on a busy computer has gaps.
            if kind == .pulseAudio {
                let sample = noise.samples.dropFirst(noise.samples.count / 2).prefix(1_764)
                #expect(recorded().range(of: sample) != nil)
            }
            await recording.end(SIGTERM)
        }

        @Test(arguments: SoundDesktop.Kind.allCases)
        func aFileIsHeardAndItsEndTold(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                #expect(try await home.discover().contains { $0.name == Self.name && $0.availability == "ready" })
                let noise = try TestNoise(seconds: 4, in: home.folder)
                try await isHeard(noise, desktop, kind) {
                    let begun = ContinuousClock.now
                    let played = try await home.run("play", Self.name, noise.path, within: .seconds(40))
                    #expect(played.status == 0, "\(played)")
                    #expect(begun.duration(to: .now) > .seconds(3.5), "no faster than it is heard")
                }
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        /// Samples, which need no URL: the extension gets them from the daemon's socket.
        @Test(arguments: SoundDesktop.Kind.allCases)
        func liveSoundIsHeard(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                _ = try await home.discover()
                let noise = try TestNoise(seconds: 4, in: home.folder)
                try noise.samples.write(to: URL(filePath: home.folder + "/noise.raw"))
                try await isHeard(noise, desktop, kind) {
                    let script = "cat '\(home.folder)/noise.raw' | '\(Household.mdhost)' stream '\(Self.name)'"
                    let stream = try RunningCommand(
                        ["/bin/bash", "-c", script + " --format s16le --latency 300"], environment: home.environment)
                    let session = try await home.session(on: Self.name, "playing") {
                        $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 0.5
                    }
                    #expect(session.playback.isLive)
                    #expect(await stream.waitForExit() == 0, "\(stream.errors)")
                }
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test(arguments: SoundDesktop.Kind.allCases)
        func theVolumeIsThatOfTheDesktopBothWays(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                let noise = try TestNoise(seconds: 60, in: home.folder)
                _ = try await home.discover()
                try await home.succeed("play", Self.name, noise.path, "--detach")
                try await home.succeed("volume", Self.name, "30")
                try await eventually("the mixer's level") {
                    try await desktop.run("pactl", "get-sink-volume", "@DEFAULT_SINK@").output.contains("30%")
                }
                try await home.succeed("mute", Self.name)
                try await eventually("silence") {
                    try await desktop.run("pactl", "get-sink-mute", "@DEFAULT_SINK@").output.contains("yes")
                }
                _ = try await desktop.run("pactl", "set-sink-mute", "@DEFAULT_SINK@", "0")
                _ = try await desktop.run("pactl", "set-sink-volume", "@DEFAULT_SINK@", "60%")
                try await home.session(on: Self.name, "the level of the mixer") {
                    abs($0.playback.volume - 0.6) < 0.011 && $0.playback.isMuted == false
                }
                try await home.succeed("pause", Self.name)
                try await home.session(on: Self.name, "paused") { $0.playback.position.rate == 0 }
                try await home.succeed("seek", "50", Self.name)
                try await home.succeed("resume", Self.name)
                try await home.session(on: Self.name, "there") { $0.playback.position(at: monotonicNow()) > 50.2 }
                try await home.succeed("stop", Self.name)
                try await home.quit()
            }
        }

        @Test func withoutASoundServerItIsNotListed() async throws {
            try await open(.pulseAudio) { home, desktop in
                await desktop.stop()
                #expect(try await home.discover().contains { $0.name == Self.name } == false)
                try await desktop.start()
                try await eventually("the computer", within: .seconds(30)) {
                    try await home.discover().contains { $0.name == Self.name }
                }
                try await home.quit()
            }
        }
    }
}

import Foundation
import Glibc
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// Files and URLs on a device of `examples/raw-speaker`, which takes samples only.
    @Suite(
        .enabled(
            if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
    struct SampleFileTests {
        private static let name = RawSpeaker.name

        /// The samples that FFmpeg's program decodes.
        private static func decoded(_ path: String) async throws -> Data {
            let raw = path + ".decoded"
            let result = try await Command.run([
                "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", path, "-f", "s16le", "-ar", "44100",
                "-ac", "2", raw,
            ])
            try #require(result.status == 0, "\(result)")
            return try Data(contentsOf: URL(filePath: raw))
        }

        @Test func everySampleOfFilesIsPlayed() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let flac = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 4)
                let mp3 = home.folder + "/tone.mp3"
                try await LabMedia.make(mp3, frequency: 1_000, seconds: 3)
                for file in [flac.path, mp3] {
                    let result = try await home.run("play", Self.name, file)
                    #expect(result.status == 0, "\(result)")
                }
                #expect(speaker.received == flac.samples + (try await Self.decoded(mp3)))
                #expect(try await home.sessions().isEmpty)
                #expect(try await home.device(Self.name).lastDeliveryPassed == true)
                try await home.quit()
            }
        }

        @Test func aStreamWithAHeaderIsPlayed() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let flac = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 4)
                let script = "cat '\(flac.path)' | '\(Household.mdhost)' stream '\(Self.name)'"
                let result = try await Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(30))
                #expect(result.status == 0, "\(result)")
                #expect(speaker.received == flac.samples)
            }
        }

        /// The program that decodes dies again and again meanwhile.
        @Test func whatPlaysObeysAndNothingIsLost() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 40)
                try await home.succeed("play", Self.name, file.path, "--detach")
                let start = try await home.session(on: Self.name, "length") { $0.playback.timeRange.duration == 40 }
                #expect(start.title == "Noise & Silence" && start.playback.isPlaying && !start.playback.isLive)
                for second in 1...3 {
                    try await home.session(on: Self.name, "\(second) s heard") {
                        $0.playback.position(at: monotonicNow()) > Double(second)
                    }
                    for reader in try home.children(named: "mdhost-reader") { kill(reader, SIGKILL) }
                }
                try await home.succeed("pause", Self.name)
                let paused = try await home.session(on: Self.name, "paused") { !$0.playback.isPlaying }
                let heard = Int((paused.playback.position.value * 44_100).rounded()) * 4
                try await eventually("what is told") { speaker.received.count >= heard }
                #expect(speaker.received == file.samples.prefix(heard), "what was heard is what is told")
                try await home.succeed("resume", Self.name)
                try await eventually("the second behind the pause") { speaker.received.count > heard + 176_400 }
                try await home.succeed("seek", "36")
                try await eventually("the end", within: .seconds(20)) { try await home.sessions().isEmpty }
                let rest = file.samples.suffix(4 * 176_400)
                let received = speaker.received
                #expect(received.suffix(rest.count) == rest, "from the frame on")
                let before = received.dropLast(rest.count)
                #expect(before == file.samples.prefix(before.count), "and nothing is lost before")
                try await home.quit()
            }
        }

        @Test func anExtensionThatDiesIsFollowedByOneThatPlaysOn() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 12)
                try await home.succeed("play", Self.name, file.path, "--detach")
                try await home.session(on: Self.name, "2 s heard") { $0.playback.position(at: monotonicNow()) > 2 }
                try await home.killExtension("org.example.raw-speaker")
                let end = file.samples.suffix(4 * 176_400)
                try await eventually("its last 4 s", within: .seconds(30)) { speaker.received.range(of: end) != nil }
                try await eventually("the end") { try await home.sessions().isEmpty }
            }
        }

        @Test func aSecondPlaybackReplacesTheFirstAndAPausedOneStops() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let first = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 40)
                let second = try await NoiseFile.make(home.folder + "/other.flac", seconds: 30)
                try await home.succeed("play", Self.name, first.path, "--detach")
                try await home.session(on: Self.name, "40 s") { $0.playback.timeRange.duration == 40 }
                try await home.succeed("play", Self.name, second.path, "--from", "0:20", "--detach")
                let session = try await home.session(on: Self.name, "30 s") { $0.playback.timeRange.duration == 30 }
                #expect(session.playback.position(at: monotonicNow()) >= 20)
                #expect(try await home.sessions().count == 1)
                let there = second.samples.dropFirst(20 * 176_400).prefix(176_400)
                try await eventually("the second from 20 s on") { speaker.received.range(of: there) != nil }
                try await home.succeed("pause", Self.name)
                try await home.session(on: Self.name, "paused") { !$0.playback.isPlaying }
                try await home.succeed("stop", Self.name)
                #expect(try await home.sessions().isEmpty)
                try await eventually("the end of the readers") { try home.children(named: "mdhost-reader").isEmpty }
                // A volume that the device doesn't have.
                try await home.succeed("play", Self.name, second.path, "--detach")
                let refused = try await home.run("volume", Self.name, "50")
                #expect(refused.status != 0, "\(refused)")
                try await home.quit()
            }
        }

        /// The samples come from the daemon: those of the time without one are missing. Half a second is delivered early, and can
        /// come again.
        @Test func aDaemonThatDiesIsFollowedByOneThatPlaysOn() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 20)
                let player = try home.start("play", Self.name, file.path)
                try await home.session(on: Self.name, "1 s heard") { $0.playback.position(at: monotonicNow()) > 1 }
                kill(try #require(home.daemon), SIGKILL)
                let died = monotonicNow()
                try await home.session(on: Self.name, "active", within: .seconds(20)) {
                    $0.state == "active" && $0.playback.isPlaying
                }
                let gap = monotonicNow() - died
                let end = file.samples.suffix(4 * 176_400)
                #expect(await player.waitForExit() == 0, "\(player.errors)")
                #expect(speaker.received.range(of: end) != nil, "its last 4 s, after a gap of \(gap) s")
                let missing = Double(file.samples.count - speaker.received.count) / 176_400
                #expect(-0.5 < missing && missing < gap, "\(missing) s of \(gap)")
                #expect(try await home.sessions().isEmpty)
            }
        }

        /// A paused medium would be read for ever.
        @Test func aDaemonThatIsReplacedIsNotKept() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 40)
                try await home.succeed("play", Self.name, file.path, "--detach")
                try await home.succeed("pause", Self.name)
                let paused = try await home.session(on: Self.name, "paused") { !$0.playback.isPlaying }
                let first = try #require(home.daemon)
                let second = try home.start("daemon", "--replace")
                try await eventually("the new daemon serves", within: .seconds(20)) {
                    home.daemon == second.processID && second.errors.contains("Serving")
                }
                try await eventually("the end of the former daemon") { !home.processes.contains(first) }
                let next = try await home.session(on: Self.name, "active") { $0.state == "active" }
                #expect(!next.playback.isPlaying)
                #expect(abs(next.playback.position.value - paused.playback.position.value) < 0.01)
                try await home.succeed("resume", Self.name)
                try await home.succeed("seek", "38")
                try await eventually("the end", within: .seconds(20)) { try await home.sessions().isEmpty }
                #expect(speaker.received.suffix(2 * 176_400) == file.samples.suffix(2 * 176_400))
                try await home.succeed("daemon", "--quit")
                #expect(await second.waitForExit() == 0)
            }
        }

        @Test func errorsAreTold() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let broken = home.folder + "/broken.flac"
                try (Data("fLaC".utf8) + Data(count: 4_096)).write(to: URL(filePath: broken))
                let wrong = try await home.run("play", Self.name, broken)
                #expect(wrong.status != 0 && wrong.errors.contains("media cannot be"), "\(wrong)")
                let missing = try await home.run("play", Self.name, "http://10.77.0.4:8099/none.mp3")
                #expect(missing.status != 0 && missing.errors.contains("cannot be read"), "\(missing)")
                let gone = try await home.run("play", Self.name, home.folder + "/none.mp3")
                #expect(gone.status != 0 && gone.errors.contains("none.mp3"), "\(gone)")
                let silent = home.folder + "/picture.mp4"
                let made = try await Command.run([
                    "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    "color=size=64x64:duration=1", silent,
                ])
                try #require(made.status == 0, "\(made)")
                let refused = try await home.run("play", Self.name, silent)
                #expect(refused.status != 0 && refused.errors.contains("no sound in the media"), "\(refused)")
                #expect(speaker.received.isEmpty)
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }
    }
}

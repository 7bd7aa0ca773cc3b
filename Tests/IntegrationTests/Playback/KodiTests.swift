import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// Playback to Kodi by its own protocol, over TCP.
    @Suite(Screen.IsThere()) struct KodiTests {
        private let screen = Screen.kodi
        private static let clip = "http://10.77.0.4:8099/clip.mp4"

        @Test func obeysAndIsObeyed() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                try await home.succeed("play", screen.name, Self.clip, "--detach")
                let session = try await home.session(on: screen.name, "its length") {
                    $0.playback.isPlaying && abs($0.playback.timeRange.duration - 20) < 0.5
                }
                let told = session.playback.position(at: monotonicNow())
                let shown = try #require(try await screen.playback())
                #expect(abs(told - shown.time.total) < 1.5 && shown.speed == 1, "\(told) s, \(shown)")
                #expect(session.title == "clip.mp4")

                try await home.succeed("pause", screen.name)
                try await eventually("Kodi pauses") { try await screen.playback()?.speed == 0 }
                try await home.succeed("seek", screen.name, "0:05")
                try await eventually("Kodi is at 5 s") {
                    abs((try await screen.playback()?.time.total ?? 0) - 5) < 0.5
                }
                try await home.session(on: screen.name, "5 s") {
                    !$0.playback.isPlaying && abs($0.playback.position(at: monotonicNow()) - 5) < 0.5
                }
                try await screen.obey("PlayerControl(Play)")
                try await home.session(on: screen.name, "resumed there") { $0.playback.isPlaying }
                try await screen.obey("PlayerControl(Stop)")
                try await eventually("the end") { try await home.sessions().isEmpty }
                try await home.quit()
            }
        }

        /// Kodi opens the stream once more while it plays.
        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
                "needs PipeWire, WirePlumber, PulseAudio and its utilities"))
        func aSinkPlaysToItsEnd() async throws {
            try await Product.SinkTests().open { home, desktop in
                try await home.succeed("extension", "disable", "AirPlay")
                try await eventually("Kodi") { try await home.discover().contains { $0.name == screen.name } }
                try await home.succeed("sink", "add", screen.name)
                let noise = try TestNoise(seconds: 8, in: home.folder, seed: 3)
                let node = try await Product.SinkTests().node(desktop)
                async let playing = desktop.run("paplay", "-d", node, noise.path)
                try await home.session(on: screen.name, "past 6 s", within: .seconds(30)) {
                    $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 6
                }
                #expect(try await playing.status == 0)
                try await home.succeed("sink", "remove", screen.name)
                try await home.quit()
            }
        }

        @Test func itWindsBackAndPlaysOn() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                let film = "http://10.77.0.4:8099/film.mp4"
                try await home.succeed("play", screen.name, film, "--from", "30", "--detach")
                try await home.session(on: screen.name, "30 s") { $0.playback.position(at: monotonicNow()) > 30 }
                async let winding = home.succeed("scan", "backward", screen.name, "--speed", "2", "--for", "3")
                try await eventually("Kodi winds back") { try await screen.playback()?.speed == -2 }
                try await home.session(on: screen.name, "shown as scanning") {
                    $0.playback.mode == .scanning && $0.playback.scanSpeed == -2
                }
                _ = try await winding
                try await eventually("Kodi plays on") { try await screen.playback()?.speed == 1 }
                let shown = try #require(try await screen.playback()).time.total
                #expect(shown < 28, "\(shown) s")
                try await home.session(on: screen.name, "shown as playing there") {
                    $0.playback.mode == .normal && abs($0.playback.position(at: monotonicNow()) - shown) < 3
                }
                // A person who presses play ends it, too.
                let pressed = try #require(try await screen.playback()).time.total
                async let again = home.run("scan", "backward", screen.name, "--speed", "2", "--for", "8")
                try await eventually("well before") {
                    try await screen.playback().map { $0.time.total < pressed - 3 } ?? false
                }
                try await home.succeed("resume", screen.name)
                try await eventually("Kodi plays on once more") { try await screen.playback()?.speed == 1 }
                #expect(try #require(try await screen.playback()).time.total < pressed)
                _ = try await again
                let fast = try await home.run("speed", screen.name, "2")
                #expect(fast.status == 6 && fast.errors.contains("one speed"), "\(fast)")
                try await home.succeed("stop", screen.name)
                try await eventually("the end") { try await screen.playback() == nil }
                try await home.quit()
            }
        }

        @Test func itsLevelIsSetFromBothSides() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                try await home.succeed("play", screen.name, Self.clip, "--detach")
                try await home.session(on: screen.name, "playing") { $0.playback.isPlaying }
                try await home.succeed("volume", screen.name, "40")
                try await eventually("40 %") { try await screen.volume() == 40 }
                try await home.succeed("mute", screen.name)
                try await eventually("silence") { try await screen.isMuted() == true }
                try await screen.obey("Mute")
                try await screen.obey("SetVolume(70)")
                try await eventually("70 %") {
                    let device = try await home.device(screen.name)
                    return abs((device.volume ?? 0) - 0.7) < 0.01 && !device.isMuted
                }
                try await home.succeed("stop", screen.name)
                try await eventually("the end") { try await screen.playback() == nil }
                try await home.quit()
            }
        }

        @Test func aLocalFilePlaysToItsEnd() async throws {
            try await screen.playsAFileToItsEnd(seenBy: "Kodi")
        }

        @Test func itSaysThatItCannotPlaySomething() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                let result = try await home.run(
                    "play", screen.name, "http://10.77.0.4:8099/nothing.mp4", within: .seconds(40))
                #expect(result.status != 0 && result.errors.contains("Kodi couldn't play it"), "\(result)")
                try await home.quit()
            }
        }

        /// Kodi continues by itself, so a new process of the extension, or of the daemon, only has to read its state.
        @Test func itPlaysOnWhenTheExtensionOrTheDaemonDies() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                try await home.succeed("play", screen.name, Self.clip, "--detach")
                try await home.session(on: screen.name, "playing") { $0.playback.isPlaying }
                try await eventually("2 s") { try await screen.playback()?.time.total ?? 0 > 2 }
                try await home.killExtension("org.mdhost.kodi")
                try await home.session(on: screen.name, "under control again", within: .seconds(20)) {
                    $0.state == "active" && $0.playback.isPlaying && $0.playback.timeRange.duration > 19
                }
                try await home.succeed("pause", screen.name)
                try await eventually("Kodi pauses") { try await screen.playback()?.speed == 0 }
                try await home.killDaemon()
                try await home.session(on: screen.name, "under control of the next daemon", within: .seconds(20)) {
                    $0.state == "active" && !$0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 2
                }
                try await home.succeed("stop", screen.name)
                try await eventually("the end") { try await screen.playback() == nil }
                try await home.quit()
            }
        }

        /// They have a name and an address in common, which proves nothing.
        @Test func itIsMergedWithItsAirPlaySideByAPersonAlone() async throws {
            try await Household.open { home in
                let protocols = try await home.discover().filter { $0.name == screen.name }.map(\.protocolName)
                #expect(protocols.sorted() == ["AirPlay", "Kodi"])
                try await home.quit()
            }
        }
    }

    /// The same where only Kodi's web server can be reached, which wants a password.
    @Suite(Screen.IsThere(mode: "http")) struct KodiWebServerTests {
        private let screen = Screen.kodi

        @Test func asksForItsPasswordOnceAndPlays() async throws {
            try await screen.seenOnly(by: "Kodi") { home in
                let wrong = try await home.run("pair", screen.name, input: "wrong\n")
                #expect(wrong.status == 4 && wrong.errors.contains("doesn't accept the password"), "\(wrong)")
                try await home.succeed("pair", screen.name, input: Screen.password + "\n")
                try await home.quit()

                // A question couldn't be answered here: standard input has ended.
                let file = home.folder + "/tone.mp3"
                try await LabMedia.make(file, frequency: 700, seconds: 6)
                let result = try await home.run("play", screen.name, file, "--json", within: .seconds(30))
                #expect(result.status == 0, "\(result)\n\(home.log)")
                let states = try JSONLines.all(result.output, as: ClientSession.self)
                #expect(states.last?.state == "ended" && states.contains { $0.playback.isPlaying }, "\(result)")
                try await home.quit()
            }
        }
    }
}

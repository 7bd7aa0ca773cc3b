import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// Audio of desktop programs through a speaker's sink, compared with the audio that shairport-sync really played.
    @Suite(
        .enabled(
            if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
            "needs PipeWire, WirePlumber, PulseAudio and its utilities"))
    struct SinkTests {
        private let speaker = Speaker.shairRoom

        /// A household at a desktop of its own.
        ///
        /// - Parameter hasBus: Whether the desktop has a session bus of its own, which knows the processes of players; the
        ///   lab's is in another process namespace.
        func open(
            _ kind: SoundDesktop.Kind = .pipeWire, hasBus: Bool = false,
            _ body: (Household, SoundDesktop) async throws -> Void
        ) async throws {
            try await SoundDesktop.open(kind) { desktop in
                let names = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "XDG_CONFIG_HOME"]
                var environment = desktop.environment.filter { names.contains($0.key) }
                var bus: SpawnedProgram?
                if hasBus {
                    let path = desktop.folder + "/bus"
                    bus = try desktop.begin(
                        "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" + path)
                    try await eventually("the bus") { FileManager.default.fileExists(atPath: path) }
                    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + path
                }
                let result: Result<Void, any Error>
                do {
                    try await Household.open(environment) { home in try await body(home, desktop) }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await bus?.end()
                try result.get()
            }
        }

        func sinks(_ home: Household) async throws -> [SoundSinkStatus] {
            try JSONLines.one(try await home.succeed("sink", "list", "--json"))
        }

        func node(_ desktop: SoundDesktop) async throws -> String {
            var names: [String] = []
            try await eventually("the sink") {
                names = try await desktop.sinks()
                return !names.isEmpty
            }
            return try #require(names.first)
        }

        @Test(arguments: [
            (SoundDesktop.Kind.pipeWire, "PipeWire", ["paplay", "-d"]),
            (.pipeWire, "PipeWire", ["pw-play", "--target"]),
            (.pulseAudio, "PulseAudio", ["paplay", "-d"]),
        ])
        func everySampleOfAProgramIsHeard(_ kind: SoundDesktop.Kind, _ server: String, _ player: [String]) async throws
        {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                #expect(try await home.succeed("sink", "add", speaker.name) == "Shair Room is a sink of \(server).\n")
                let node = try await node(desktop)
                let noise = try TestNoise(seconds: 3, in: home.folder)
                let begin = speaker.mark()
                let played = try await desktop.run(player[0], player[1], node, noise.path)
                #expect(played.status == 0, "\(played)")
                try await eventually("what is played") { try await sinks(home).first?.state == .playing }
                let samples = noise.played(by: player[0])
                try await eventually("the last sample") { try speaker.played(samples, since: begin) }
                #expect(try speaker.toldText("minm", since: begin).last?.hasPrefix("Sound of ") == true)
                try await home.quit()
                try await eventually("no sink") { try await desktop.sinks().isEmpty }
            }
        }

        /// The delay that programs are told is the time until the speaker really plays their samples.
        @Test(arguments: [(SoundDesktop.Kind.pipeWire, nil), (.pipeWire, 1900), (.pulseAudio, nil)])
        func theSoundServerIsToldTheDelay(_ kind: SoundDesktop.Kind, requested: Int?) async throws {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                try await home.succeed("sink", "add", speaker.name)
                if let requested {
                    try await home.succeed("sink", "add", speaker.name, "--latency", "\(requested)")
                    // It reads a second ahead, so a much lower one would lose sound.
                    #expect(try await sinks(home).first?.requestedLatency == 1.9)
                }
                let node = try await node(desktop)
                let noise = try TestNoise(seconds: 8, in: home.folder)
                let begin = speaker.mark()
                // From where the speaker certainly plays already.
                let piece = noise.samples.dropFirst(4 * 176_400)
                let recorded = try await desktop.recording(node) {
                    #expect(try await desktop.run("paplay", "-d", node, noise.path).status == 0)
                    try await eventually("the last sample") { try speaker.played(piece, since: begin) }
                }
                let told = try #require(try await sinks(home).first?.delay)
                // A monitor's samples reach parec a block later than the sink's reach the sink.
                let playedAt = try #require(try recorded.moment(of: piece)) - 1_024 / 44_100
                // It hands samples on a second before they are due (`audio_backend_buffer_desired_length_in_seconds`).
                let heardAt = try #require(try speaker.moment(of: piece, since: begin)) + 1
                print("SINK of \(kind): delay told \(told) s, measured \(heardAt - playedAt) s")
                #expect(abs(told - (heardAt - playedAt)) < 0.05)
                if let requested { #expect(abs(heardAt - playedAt - Double(requested) / 1000) < 0.15) }
            }
        }

        /// A player shows its picture with the sound, also after a pause: mpv, whose own idea of what is heard at each moment is
        /// compared with what the speaker plays.
        @Test(arguments: [SoundDesktop.Kind.pipeWire, .pulseAudio])
        func aPlayerShowsThePictureWithTheSound(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                try await home.succeed("sink", "add", speaker.name)
                let node = try await node(desktop)
                let click = 8
                let film = try await LabMedia.film(in: home.folder, click: click)
                let begin = speaker.mark()
                let times = home.folder + "/times"
                let played = try await desktop.run(
                    LabHost.tool("mpv-times"), times, kind == .pipeWire ? "pipewire" : "pulse", node, film)
                #expect(played.status == 0)
                var heard: Double?
                try await eventually("the click") {
                    heard = try speaker.momentOfClick(since: begin)
                    return heard != nil
                }
                let told = try #require(try await sinks(home).first?.delay)
                // It hands samples on a second before they are due (`audio_backend_buffer_desired_length_in_seconds`).
                let heardAt = try #require(heard) + 1 - Double(click)
                let player = try PlayerTimes(path: times, from: 6)
                // With PipeWire, mpv leaves out a buffer of its own (`--pipewire-buffer`).
                let late = player.soundBegan + (kind == .pipeWire ? 0.02 : 0) - heardAt
                print(
                    "SINK \(kind): delay told \(told) s, mpv is \(late) s late, its picture \(player.lead) s before its sound"
                )
                // A picture of 25 a second.
                #expect(abs(late) < 0.04 && abs(late - player.lead) < 0.04)
            }
        }

        /// The playing program waits: the speaker's buttons work like `mdhost pause`.
        @Test(arguments: [SoundDesktop.Kind.pipeWire, .pulseAudio])
        func aPauseAtTheSpeakerLosesNothing(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                try await home.succeed("sink", "add", speaker.name)
                let node = try await node(desktop)
                let noise = try TestNoise(seconds: 9, in: home.folder)
                let begin = speaker.mark()
                async let playing = desktop.run("paplay", "-d", node, noise.path)
                try await home.session(on: speaker.name, "1 s heard", within: .seconds(20)) {
                    $0.playback.position(at: monotonicNow()) > 1
                }
                try await speaker.untilItFindsTheSender()
                try await speaker.press("Pause")
                try await home.session(on: speaker.name, "paused") { $0.playback.position.rate == 0 }
                try await speaker.press("Play")
                let played = try await playing
                #expect(played.status == 0, "\(played)")
                let samples = noise.played(by: "paplay")
                try await eventually("the last second") {
                    try speaker.played(samples.suffix(176_400), since: begin)
                }
                // The longest beginning that came out in one piece, in frames.
                var heard = 0..<samples.count / 4
                while !heard.isEmpty {
                    let middle = (heard.lowerBound + heard.upperBound + 1) / 2
                    let isHeard = try speaker.played(samples.prefix(middle * 4), since: begin)
                    heard = isHeard ? middle..<heard.upperBound : heard.lowerBound..<middle - 1
                }
                print("SINK of \(kind) paused after \(Double(heard.lowerBound) / 44_100) s")
                #expect(heard.lowerBound > 44_100 && heard.lowerBound < samples.count / 4, "it was cut, once")
                #expect(try speaker.played(samples.dropFirst(heard.lowerBound * 4), since: begin), "all behind it")
                try await home.quit()
            }
        }

        @Test func theSpeakerIsFreeTenSecondsAfterTheLastSound() async throws {
            try await open { home, desktop in
                try await home.succeed("sink", "add", speaker.name)
                let noise = try TestNoise(seconds: 1, in: home.folder)
                #expect(try await desktop.run("paplay", "-d", try await node(desktop), noise.path).status == 0)
                try await eventually("what is played") { try await sinks(home).first?.state == .playing }
                try await eventually("the end", within: .seconds(25)) { try await home.sessions().isEmpty }
                #expect(try await sinks(home).first?.state == .ready)
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pipeWire, .pulseAudio])
        func theLevelGoesBothWaysAndNeverJumps(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                try await home.succeed("sink", "add", speaker.name)
                let node = try await node(desktop)
                let noise = try TestNoise(seconds: 20, in: home.folder)
                let begin = speaker.mark()
                let playing = try desktop.begin("paplay", "-d", node, noise.path)
                try await home.session(on: speaker.name, "playing") { $0.playback.isPlaying }
                #expect(try speaker.toldText("pvol", since: begin).allSatisfy { $0.hasPrefix("0.00,") })
                #expect(try await desktop.run("pactl", "set-sink-volume", node, "40%").status == 0)
                try await eventually("40 % at the speaker") {
                    try await home.device(speaker.name).volume.map { abs($0 - 0.4) < 0.01 } == true
                }
                try await home.succeed("volume", speaker.name, "70")
                try await eventually("70 % in the sound settings") {
                    try await desktop.run("pactl", "get-sink-volume", node).output.contains(" 70% ")
                }
                await playing.end()
                try await home.succeed("volume", speaker.name, "100")
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pipeWire, .pulseAudio])
        func sinksAreThereAgainAfterEveryRestart(_ kind: SoundDesktop.Kind) async throws {
            try await open(kind) { home, desktop in
                try await speaker.setFullVolume(home)
                try await home.succeed("sink", "add", speaker.name)
                _ = try await node(desktop)
                await desktop.stop()
                try await eventually("that the server is gone") { try await sinks(home).first?.state == .noServer }
                try await desktop.start()
                _ = try await node(desktop)

                try await home.killDaemon()
                try await eventually("no sink without a daemon") { try await desktop.sinks().isEmpty }
                #expect(try await sinks(home).first?.name == speaker.name)
                let node = try await node(desktop)
                let noise = try TestNoise(seconds: 3, in: home.folder)
                let begin = speaker.mark()
                #expect(try await desktop.run("paplay", "-d", node, noise.path).status == 0)
                try await eventually("every sample, by a daemon that had to look for the speaker first") {
                    try speaker.played(noise.samples, since: begin)
                }
                #expect(try await home.succeed("sink", "remove", speaker.name) == "Removed the sink for Shair Room.\n")
                try await eventually("no sink") { try await desktop.sinks().isEmpty }
                #expect(try await home.run("sink", "remove", speaker.name).errors.contains("Shair Room has no sink."))
            }
        }

        @Test func whatCannotBeIsToldInASentence() async throws {
            try await Household.open(["XDG_RUNTIME_DIR": "/nowhere", "PIPEWIRE_RUNTIME_DIR": "/nowhere"]) { home in
                let none = try await home.run("sink", "add", speaker.name)
                #expect(none.status == 1 && none.errors.hasPrefix("mdhost: No sound server answers here"), "\(none)")
                #expect(none.errors.contains("Start PipeWire or PulseAudio"), "\(none)")
                let empty = try await home.run("sink")
                #expect(empty.status == 0 && empty.errors == "No device has a sink.\n", "\(empty)")
            }
        }
    }
}

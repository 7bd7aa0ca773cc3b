import Foundation
import HostClient
import SoundServers
import Testing

extension Product {
    /// Apps without a URL: the sound that they play by themselves is moved to the device and back. With real sound
    /// servers, players and receivers.
    @Suite(
        .enabled(
            if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
            "needs PipeWire, WirePlumber, PulseAudio and its utilities"))
    struct RoutedSoundTests {
        /// A stream as `pactl` shows it, with the name of its output.
        private struct Stream: Sendable {
            var process: Int32
            var index: Int
            var output: String
        }

        private static func streams(_ desktop: SoundDesktop) async throws -> [Stream] {
            let sinks = try await desktop.run("pactl", "list", "short", "sinks").output.split(separator: "\n")
                .map { $0.split(separator: "\t") }
            let names = Dictionary(
                sinks.compactMap { $0.count > 1 ? (String($0[0]), String($0[1])) : nil }, uniquingKeysWith: { $1 })
            var streams: [Stream] = []
            for line in try await desktop.run("pactl", "list", "sink-inputs").output.split(separator: "\n") {
                let line = line.trimmingCharacters(in: .whitespaces)
                if line.hasPrefix("Sink Input #") {
                    streams.append(Stream(process: 0, index: Int(line.dropFirst(12)) ?? 0, output: ""))
                } else if line.hasPrefix("Sink: "), !streams.isEmpty {
                    streams[streams.count - 1].output = names[String(line.dropFirst(6))] ?? ""
                } else if line.hasPrefix("application.process.id = "), !streams.isEmpty {
                    let digits = line.filter(\.isNumber)
                    streams[streams.count - 1].process = Int32(digits) ?? 0
                }
            }
            return streams
        }

        /// A desktop with two outputs, an app that plays to the second one, and another program on the first one.
        private struct Scene {
            let home: Household
            let desktop: SoundDesktop
            let app: RoutedApp
            let other: SpawnedProgram
            let noise: TestNoise

            /// - Parameter player: The program that the app starts, before the file.
            init(_ home: Household, _ desktop: SoundDesktop, player: String = "paplay --device=hdmi") async throws {
                self.home = home
                self.desktop = desktop
                for name in ["card", "hdmi"] {
                    _ = try await desktop.run("pactl", "load-module", "module-null-sink", "sink_name=\(name)")
                }
                _ = try await desktop.run("pactl", "set-default-sink", "card")
                noise = try TestNoise(seconds: 90, in: home.folder)
                app = try await RoutedApp.open(home, "--mode", "none", "echo://own")
                other = try desktop.begin("paplay", try TestNoise(seconds: 90, in: home.folder, seed: 7).path)
                app.type("sound \(player) \(noise.path)")
                try await app.sees("sound: started")
                let other = other
                try await eventually("two streams") {
                    let streams = try await RoutedSoundTests.streams(desktop)
                    return streams.count == 2 && streams.contains { $0.process == other.processID }
                }
            }

            /// The output of the app's player, and that of the other program.
            func outputs() async throws -> (app: String, other: String) {
                let streams = try await RoutedSoundTests.streams(desktop)
                return (
                    streams.first { $0.process != other.processID }?.output ?? "",
                    streams.first { $0.process == other.processID }?.output ?? ""
                )
            }

            func isOn(_ output: String, _ what: String, within limit: Duration = .seconds(20)) async throws {
                try await eventually("the app's sound on \(output): \(what)", within: limit) {
                    try await outputs().app.hasPrefix(output)
                }
                #expect(try await outputs().other == "card", "\(what)")
            }

            func route(_ device: String, off: Bool = false) async throws {
                try await home.succeed("route", device, off ? "--off" : "--app", off ? "--json" : app.name)
            }

            /// The device gets what the app plays now, for some seconds.
            func isHeard(_ what: String, seconds: Int = 1, _ received: () throws -> Data) async throws {
                let mark = try received().count
                try await eventually("the sound: \(what)", within: .seconds(20)) {
                    let heard = try received().dropFirst(mark)
                    return heard.count > 176_400 * seconds
                        && noise.samples.range(of: Data(heard.suffix(8192).prefix(4096))) != nil
                }
            }

            func end() async {
                app.type("silence")
                await app.quit()
                await other.end()
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func theAppsSoundMovesToASpeakerThatTakesSamplesAndComesBack(_ kind: SoundDesktop.Kind) async throws {
            try await RawSpeaker.open(kind) { home, desktop, speaker in
                let scene = try await Scene(home, desktop)
                try await scene.isOn("hdmi", "not routed")
                try await scene.route(RawSpeaker.name)
                try await scene.isOn("mdhost.route-", "routed")
                try await scene.isHeard("routed") { speaker.received }
                // The app's next stream follows.
                scene.app.type("sound paplay --device=hdmi \(scene.noise.path)")
                try await scene.app.sees("sound: started", times: 2)
                try await scene.isOn("mdhost.route-", "the next stream")
                #expect(try await home.succeed("sink", "list", "--json") == "[]\n", "it isn't one of the person's")
                try await scene.route(RawSpeaker.name, off: true)
                try await scene.isOn("hdmi", "no longer routed")
                try await eventually("no sink") { try await desktop.sinks().isEmpty }
                try await eventually("no session") { try await home.sessions().isEmpty }
                await scene.end()
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func theNextDaemonMovesTheSoundAgain(_ kind: SoundDesktop.Kind) async throws {
            try await RawSpeaker.open(kind) { home, desktop, speaker in
                let scene = try await Scene(home, desktop)
                try await scene.route(RawSpeaker.name)
                try await scene.isHeard("routed") { speaker.received }
                let sink = try await scene.outputs().app
                let daemon = try #require(home.daemon)
                kill(daemon, SIGKILL)
                // The app starts the next one.
                try await eventually("the next daemon") { home.daemon != daemon }
                try await eventually("the sink of the next daemon") { try await desktop.sinks() == [sink] }
                try await scene.isOn(sink, "with the next daemon")
                try await scene.isHeard("with the next daemon") { speaker.received }
                try await scene.route(RawSpeaker.name, off: true)
                try await scene.isOn("hdmi", "no longer routed")
                await scene.end()
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func theSoundOfAKilledAppsPlayerComesBack(_ kind: SoundDesktop.Kind) async throws {
            try await RawSpeaker.open(kind) { home, desktop, speaker in
                let scene = try await Scene(home, desktop)
                try await scene.route(RawSpeaker.name)
                try await scene.isHeard("routed") { speaker.received }
                // Its player outlives it.
                await scene.app.kill()
                try await scene.isOn("hdmi", "without the app")
                try await eventually("no sink") { try await desktop.sinks().isEmpty }
                await scene.other.end()
                for stream in try await Self.streams(desktop) { kill(stream.process, SIGTERM) }
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func aPersonsMoveWins(_ kind: SoundDesktop.Kind) async throws {
            try await RawSpeaker.open(kind) { home, desktop, speaker in
                let scene = try await Scene(home, desktop)
                try await scene.route(RawSpeaker.name)
                try await scene.isHeard("longer than a move takes", seconds: 4) { speaker.received }
                let other = scene.other.processID
                let stream = try #require(try await Self.streams(desktop).first { $0.process != other })
                // pipewire-pulse 0.3.65 loses the request of a program that exits at once, in up to one of nine runs.
                try await eventually("the app's sound on card: moved by hand", within: .seconds(20)) {
                    _ = try await desktop.run("pactl", "move-sink-input", "\(stream.index)", "card")
                    return try await scene.outputs().app == "card"
                }
                try await scene.route(RawSpeaker.name, off: true)
                try await eventually("no sink") { try await desktop.sinks().isEmpty }
                try await scene.isOn("card", "left where it is")
                #expect(home.log.components(separatedBy: "A stream is moved").count == 2, "once, to the device")
                await scene.end()
            }
        }

        @Test(arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func theSoundOfALostSpeakerComesBack(_ kind: SoundDesktop.Kind) async throws {
            try await RawSpeaker.open(kind) { home, desktop, speaker in
                let scene = try await Scene(home, desktop)
                try await scene.route(RawSpeaker.name)
                try await scene.isHeard("routed") { speaker.received }
                await speaker.stop()
                try await scene.isOn("hdmi", "without the speaker", within: .seconds(90))
                await scene.end()
            }
        }

        /// An AirPlay speaker can be given a URL; this app gives none within two seconds.
        @Test(
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mpv"), "needs mpv"),
            arguments: [SoundDesktop.Kind.pulseAudio, .pipeWire])
        func mpvOnAnAirPlaySpeaker(_ kind: SoundDesktop.Kind) async throws {
            try await Product.SinkTests().open(kind) { home, desktop in
                let speaker = Speaker.shairRoom
                try await speaker.setFullVolume(home)
                let scene = try await Scene(
                    home, desktop, player: "mpv --no-config --no-video --ao=pulse --audio-device=pulse/hdmi")
                let begin = speaker.mark()
                try await scene.route(speaker.name)
                try await scene.isOn("mdhost.route-", "routed")
                try await scene.isHeard("routed") { try speaker.samples(since: begin) }
                try await scene.route(speaker.name, off: true)
                try await scene.isOn("hdmi", "no longer routed")
                await scene.end()
            }
        }
    }
}

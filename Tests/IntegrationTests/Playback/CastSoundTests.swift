import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// Live sound on a simulated Google Cast device, which records what it decodes.
    @Suite struct CastSoundTests {
        /// A sweep over four seconds. `ref.raw` is what FFmpeg decodes of what FFmpeg encodes, with the same settings.
        private static func makeChirp(_ folder: String) async throws {
            let script = """
                set -e; cd '\(folder)'; ffmpeg() { /usr/bin/ffmpeg -nostdin -loglevel error -y "$@"; }
                ffmpeg -f lavfi -i 'aevalsrc=0.6*sin(2*PI*(100*t+1200*t*t)):d=4:s=48000,pan=stereo|c0=c0|c1=-1*c0' \
                    -c:a pcm_s16le chirp.wav
                ffmpeg -i chirp.wav -f s16le chirp.raw
                ffmpeg -i chirp.wav -c:a libopus -b:a 128k -vbr constrained -compression_level 9 -application audio \
                    -frame_duration 20 ref.ogg
                ffmpeg -c:a libopus -i ref.ogg -f s16le ref.raw
                """
            let result = try await Command.run(["/bin/bash", "-c", script])
            try #require(result.status == 0, "\(result)")
        }

        /// Ten milliseconds at a time, as a program that makes sound; first the time.
        private static let player = """
            import sys, time
            data, output, begin = open(sys.argv[1], "rb").read(), sys.stdout.buffer, time.monotonic()
            open(sys.argv[2], "w").write(str(begin))
            for end in range(1920, len(data) + 1920, 1920):
                output.write(data[end - 1920:end])
                output.flush()
                time.sleep(max(0, begin + end / 192000 - time.monotonic()))
            """

        @Test(arguments: [(0.0, 400, nil), (2.0, 400, nil), (0.0, 150, 250)] as [(Double, Int, Int?)])
        func aChirpIsHeardAsAReferenceEncoderHasIt(_ loss: Double, _ delay: Int, _ latency: Int?) async throws {
            try await Household.open { home in
                try await Self.makeChirp(home.folder)
                let recording = home.folder + "/heard.raw"
                try await CastDevice.run(
                    named: "Chirp Cast", "--record", recording, "--loss", "\(loss)", in: home
                ) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == device.name } }
                    try Data(Self.player.utf8).write(to: URL(filePath: home.folder + "/play.py"))
                    let script = """
                        cd '\(home.folder)'; python3 play.py chirp.raw begin | '\(Household.mdhost)' stream '\(device.name)' \
                        --format s16le --rate 48000\(latency.map { " --latency \($0)" } ?? ""); echo ${PIPESTATUS[@]} >&2
                        """
                    let result = try await Command.run(
                        ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(40))
                    #expect(result.errors == "0 0\n", "\(result)")
                    try await device.tells("the end") { $0.event == "streamed" && $0.played == 200 && $0.lost == 0 }
                    #expect(((device.events.last { $0.event == "streamed" }?.dropped ?? 0) > 0) == (loss > 0))
                    let heard = try Data(contentsOf: URL(filePath: recording))
                    let reference = try Data(contentsOf: URL(filePath: home.folder + "/ref.raw"))
                    // FFmpeg leaves out the 312 frames by which the encoder is late.
                    let same = heard.dropFirst(312 * 4)
                    #expect(same.count > 750_000 && same.elementsEqual(reference.prefix(same.count)))
                    let begin = try #require(
                        Double(String(contentsOfFile: home.folder + "/begin", encoding: .utf8)))
                    let due = try #require(device.events.first { $0.event == "streaming" }?.due)
                    print(
                        "CAST SOUND at \(loss) % loss, \(delay) ms: the first sample is due \((due - begin) * 1000) ms after it came"
                    )
                    #expect(due - begin > Double(delay) / 1000 && due - begin < 1.5, "\(due - begin)")
                }
                try await home.quit()
            }
        }

        /// A stream of another rate than the device's ends as well, and the device is free.
        @Test func theEndOfAConvertedStreamIsTheEnd() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "End Cast", "--audio-only", in: home) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == device.name } }
                    let script =
                        "head -c 352800 /dev/urandom | '\(Household.mdhost)' stream '\(device.name)' --format s16le"
                    let result = try await Command.run(
                        ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(20))
                    #expect(result.status == 0, "\(result)")
                    try await device.tells("two seconds") {
                        $0.event == "streamed" && (95...110).contains($0.played ?? 0)
                    }
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                    try await home.quit()
                }
            }
        }

        @Test func itIsPausedAndEndedByEitherSide() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Pause Cast", "--audio-only", in: home) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == device.name } }
                    func stream() throws -> RunningCommand {
                        let script = "'\(Household.mdhost)' stream '\(device.name)' --format s16le < /dev/zero"
                        return try RunningCommand(["/bin/bash", "-c", script], environment: home.environment)
                    }
                    let first = try stream()
                    let session = try await home.session(on: device.name, "playing") { $0.playback.isPlaying }
                    #expect(session.playback.isLive && !session.isOthers)
                    try await device.tells("the app") { $0.event == "launched" && $0.app == "Audio Mirroring" }
                    try await home.succeed("pause", device.name)
                    try await home.session(on: device.name, "paused") { $0.playback.position.rate == 0 }
                    try await home.succeed("resume", device.name)
                    try await home.session(on: device.name, "resumed") { $0.playback.position.rate == 1 }
                    try await home.succeed("volume", device.name, "30")
                    try await device.tells("30 %") { $0.event == "volume" && abs(($0.level ?? 0) - 0.3) < 0.01 }
                    // The next process reads on where the stream is, and the device plays that.
                    try await home.killExtension("org.mdhost.googlecast")
                    try await eventually("it plays on") {
                        device.events.count { $0.event == "streaming" } == 2
                    }
                    #expect(try await home.sessions().count == 1)
                    try await home.succeed("stop", device.name)
                    try await device.tells("the end of the app", within: .seconds(30)) { $0.event == "app-ended" }
                    await first.stop()
                    // Another app takes its place.
                    if CastDevice.hasOtherSender {
                        let second = try stream()
                        try await home.session(on: device.name, "playing again") { $0.playback.isPlaying }
                        try await device.otherSender("launch", "233637DE")
                        try await eventually("the end here") { try await home.sessions().isEmpty }
                        await second.stop()
                    }
                    try await home.quit()
                }
                try await CastDevice.run(named: "Deaf Cast", "--fail", "stream", in: home) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == device.name } }
                    let script = "'\(Household.mdhost)' stream '\(device.name)' --format s16le < /dev/zero"
                    let result = try await Command.run(["/bin/bash", "-c", script], environment: home.environment)
                    #expect(result.errors.contains("doesn't accept live sound"), "\(result)")
                    try await home.quit()
                }
            }
        }

        /// Three seconds of a tone that a program plays to the sink; the last of them is stopped.
        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
                "needs PipeWire, WirePlumber, PulseAudio and its utilities"),
            arguments: [
                (SoundDesktop.Kind.pipeWire, ["paplay", "-d"]), (.pipeWire, ["pw-play", "--target"]),
                (.pulseAudio, ["paplay", "-d"]),
            ])
        func aProgramIsHeardByTheSink(_ kind: SoundDesktop.Kind, _ player: [String]) async throws {
            try await SoundDesktop.open(kind) { desktop in
                let names = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "XDG_CONFIG_HOME"]
                try await Household.open(desktop.environment.filter { names.contains($0.key) }) { home in
                    let (recording, tone) = (home.folder + "/heard.raw", home.folder + "/tone.wav")
                    try await LabMedia.make(tone, frequency: 1000, seconds: 3)
                    try await CastDevice.run(named: "Sink Cast", "--record", recording, in: home) { device in
                        try await eventually("the device") {
                            try await home.discover().contains { $0.name == device.name }
                        }
                        try await home.succeed("sink", "add", device.name)
                        var nodes: [String] = []
                        try await eventually("the sink") {
                            nodes = try await desktop.sinks()
                            return !nodes.isEmpty
                        }
                        let played = try await desktop.run(player[0], player[1], nodes[0], tone)
                        #expect(played.status == 0, "\(played)")
                        try await home.succeed("stop", device.name)
                        try await device.tells("the end") { $0.event == "streamed" && $0.lost == 0 }
                        let samples = try Data(contentsOf: URL(filePath: recording)).withUnsafeBytes {
                            Array($0.bindMemory(to: Int16.self))
                        }
                        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
                        // The codec's noise crosses zero as well.
                        var (rises, isLow) = (0, false)
                        for sample in left {
                            if sample < -500 { isLow = true }
                            if isLow, sample > 500 { (rises, isLow) = (rises + 1, false) }
                        }
                        let loudest = left.max() ?? 0
                        #expect((1500...3020).contains(rises) && loudest > 2500, "\(rises), \(loudest)")
                        try await home.quit()
                    }
                }
            }
        }
    }
}

import Foundation
import HostClient
import SoundServers
import Testing

/// A display in another host: mpv on an X display, which shows what comes at a port, and a file of the sound that comes at
/// another one.
struct RawDisplay {
    static let name = "Raw Hall"
    private static let ports = (video: "4713", sound: "4714")

    /// The X display that it shows.
    let display: String
    private let sound: String
    private let programs: [RunningCommand]

    static let missing: String? = {
        let programs = ["/usr/bin/Xvfb", "/usr/bin/mpv", "/usr/bin/avahi-publish"]
        return programs.first { access($0, X_OK) != 0 }
    }()

    init(_ home: Household, hasSound: Bool) async throws {
        let number = home.folder + "/display-\(UUID().uuidString)"
        let server = try RunningCommand(
            [
                LabHost.script, "in", "b", "sh", "-c",
                #"exec Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>"$1""#, "sh", number,
            ])
        try await eventually("the X server") { FileManager.default.contents(atPath: number)?.last == 10 }
        display =
            ":"
            + String(decoding: FileManager.default.contents(atPath: number) ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let player = try RunningCommand(
            [
                LabHost.script, "in", "b", "env", "DISPLAY=" + display, "mpv", "--no-config", "--fullscreen",
                "--profile=low-latency", "--untimed", "--loop-playlist=force", "--no-cache", "--vo=x11",
                "--demuxer-lavf-format=h264",
                "tcp://0.0.0.0:\(Self.ports.video)?listen",
            ])
        // It takes one connection, so none is made to find out.
        let listening = String(UInt16(Self.ports.video) ?? 0, radix: 16, uppercase: true)
        try await eventually("the player", within: .seconds(20)) {
            let tables = try await Command.run([LabHost.script, "in", "b", "cat", "/proc/net/tcp"])
            return tables.output.contains(":\(listening) 00000000:0000 0A")
        }
        var programs = [server, player]
        sound = home.folder + "/sound-\(UUID().uuidString)"
        if hasSound {
            programs.append(
                try RunningCommand([LabHost.script, "in", "b"] + RawSpeaker.recorder + [Self.ports.sound, sound]))
            let sound = sound
            try await eventually("the speaker") { FileManager.default.fileExists(atPath: sound) }
            programs.append(try await Self.announce("_raw-display-pcm._tcp", Self.ports.sound))
        }
        programs.append(try await Self.announce("_raw-display._tcp", Self.ports.video))
        self.programs = programs
    }

    private static func announce(_ type: String, _ port: String) async throws -> RunningCommand {
        let announcement = try RunningCommand([
            LabHost.script, "in", "b", "avahi-publish", "--service", name, type, port,
        ])
        try await eventually("the announcement") { announcement.errors.contains("Established") }
        return announcement
    }

    var heard: Data { FileManager.default.contents(atPath: sound) ?? Data() }

    /// Reads the time that it shows.
    func reading(seconds: Int) async throws -> TestDesktop.Reading {
        try await TestDesktop.reading(in: "b", display, seconds: seconds)
    }

    func stop() async {
        for program in programs.reversed() { await program.stop() }
    }

    /// Runs `body` with the extension `examples/raw-display`, a display, and a desktop.
    static func open(
        hasSound: Bool = false, _ body: (Household, SoundDesktop, RawDisplay) async throws -> Void
    ) async throws {
        try await Product.SinkTests().open { home, desktop in
            try home.install("RawDisplay", of: "examples/raw-display")
            let display = try await RawDisplay(home, hasSound: hasSound)
            let result: Result<Void, any Error>
            do {
                try await eventually("the display") { try await home.discover().contains { $0.name == Self.name } }
                result = .success(try await body(home, desktop, display))
            } catch { result = .failure(error) }
            await display.stop()
            try result.get()
            // A name is remembered for a second after its end: the next display may have no sound.
            try await eventually("the end of the announcements") {
                let browse = [LabHost.script, "in", "d", "avahi-browse", "--terminate", "--parsable"]
                for type in ["_raw-display._tcp", "_raw-display-pcm._tcp"]
                where try await Command.run(browse + [type]).output.contains("Raw") { return false }
                return true
            }
        }
    }
}

package import Foundation

/// A desktop's sound server in a folder of its own, without a sound card, a session bus or personal settings.
package final class SoundDesktop: Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// With WirePlumber, and with PulseAudio's protocol by pipewire-pulse.
        case pipeWire
        case pulseAudio
    }

    package let kind: Kind
    package let folder: String
    /// The environment of programs that use it; an empty value means that there is no server.
    package let environment: [String: String]

    private init(_ kind: Kind) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-sound-\(UUID().uuidString)").path
        environment = [
            "XDG_RUNTIME_DIR": folder + "/run", "PIPEWIRE_RUNTIME_DIR": folder + "/run", "HOME": folder,
            "XDG_CONFIG_HOME": folder + "/config", "XDG_STATE_HOME": folder + "/state", "PULSE_SERVER": "",
            "PULSE_RUNTIME_PATH": folder + "/run/pulse", "DBUS_SESSION_BUS_ADDRESS": "", "DISPLAY": "",
        ]
        for name in ["/run", "/config/wireplumber/main.lua.d", "/config/wireplumber/bluetooth.lua.d", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // Each of these wants a bus, and WirePlumber ends where one does not get it.
        let main = """
            alsa_monitor.enabled = false
            v4l2_monitor.enabled = false
            libcamera_monitor.enabled = false
            default_access.properties["enable-flatpak-portal"] = false
            """
        let bluetooth = """
            bluez_monitor.enabled = false
            bluez_monitor.properties["with-logind"] = false
            """
        try Data(main.utf8).write(to: URL(filePath: folder + "/config/wireplumber/main.lua.d/60-alone.lua"))
        try Data(bluetooth.utf8).write(to: URL(filePath: folder + "/config/wireplumber/bluetooth.lua.d/60-alone.lua"))
    }

    /// Returns a required program that isn't installed; `nil` if all are.
    package static func missing(_ kind: Kind) -> String? {
        let programs = kind == .pipeWire ? ["pipewire", "wireplumber", "pipewire-pulse", "pw-play"] : ["pulseaudio"]
        return (programs + ["paplay", "pactl"]).first {
            !FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    }

    /// Runs `body` beside a server, and ends all programs it started.
    package static func open(
        _ kind: Kind, _ body: (SoundDesktop) async throws -> Void
    ) async throws {
        let desktop = try SoundDesktop(kind)
        defer { try? FileManager.default.removeItem(atPath: desktop.folder) }
        let result: Result<Void, any Error>
        do {
            try await desktop.start()
            try await body(desktop)
            result = .success(())
        } catch {
            result = .failure(SoundServerFailure(description: "\(error)\n\(desktop.log)"))
        }
        await desktop.stop()
        try result.get()
    }

    private let programs = Programs()

    private actor Programs {
        var running: [SpawnedProgram] = []
        func add(_ program: SpawnedProgram) { running.append(program) }
        func take() -> [SpawnedProgram] {
            defer { running = [] }
            return running
        }
    }

    package func start() async throws {
        switch kind {
        case .pipeWire:
            try await start("pipewire")
            try await appearance("run/pipewire-0")
            try await start("wireplumber")
            try await start("pipewire-pulse")
        case .pulseAudio:
            try await start(
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--log-target=stderr",
                "-L", "module-native-protocol-unix", "-L", "module-suspend-on-idle timeout=1", "-L",
                "module-always-sink")
        }
        try await appearance("run/pulse/native")
        try await waitUntil("a server that answers") { try await run("pactl", "info").status == 0 }
    }

    /// Kills every server.
    package func stop() async {
        for program in await programs.take().reversed() { await program.end(SIGKILL) }
        for name in ["pipewire-0", "pulse/native", "pulse/pid"] { unlink(folder + "/run/" + name) }
    }

    package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    private func start(_ words: String...) async throws {
        await programs.add(try SpawnedProgram(words, environment: environment, log: folder + "/log"))
    }

    private func appearance(_ name: String) async throws {
        try await waitUntil(name) { FileManager.default.fileExists(atPath: folder + "/" + name) }
    }

    // MARK: Programs that use it

    /// Runs a program to its end.
    package func run(_ words: String...) async throws -> (status: Int32, output: String) {
        let path = folder + "/output-" + UUID().uuidString
        let status = try await SpawnedProgram(words, environment: environment, log: path).status
        defer { unlink(path) }
        return (status, (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }

    /// Starts a program without waiting for its end.
    package func begin(_ words: String...) throws -> SpawnedProgram {
        try SpawnedProgram(words, environment: environment, log: folder + "/log")
    }

    /// The names of the sinks of ours that it shows.
    package func sinks() async throws -> [String] {
        try await run("pactl", "list", "short", "sinks").output.split(separator: "\n")
            .compactMap { $0.split(separator: "\t").dropFirst().first.map(String.init) }
            .filter { $0.hasPrefix("mdhost.") }
    }
}

/// A noise in which no place is like another, signed 16 bit, little end first, two channels, 44,100 Hz.
package struct TestNoise: Sendable {
    package let samples: Data
    /// The same with a header.
    package let path: String

    /// Returns the part of the samples that a program plays: pw-play 0.3.65 leaves out the samples after the last whole
    /// block of the graph, on any sink. On a null sink that is up to 4,095 frames, and up to 1,023 on ours.
    package func played(by program: String) -> Data {
        program == "pw-play" ? samples.prefix(samples.count / 4096 * 4096) : samples
    }

    /// The blocks of 1,024 frames that aren't in what was heard, for people: `blocks [0] of 47 are missing`.
    package func missing(in heard: Data) -> String {
        let size = 4096
        let blocks = samples.count / size
        let missing = (0..<blocks).filter { heard.range(of: samples.dropFirst($0 * size).prefix(size)) == nil }
        return "blocks \(missing) of \(blocks) are missing"
    }

    package init(seconds: Double, rate: Int = 44_100, in folder: String, seed: UInt32 = 1) throws {
        var state = seed
        var bytes = Data()
        for _ in 0..<Int(seconds * Double(rate)) * 2 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let sample = Int16(truncatingIfNeeded: Int32(state >> 16 & 0x3FFF) - 0x2000) | 0x10
            withUnsafeBytes(of: sample.littleEndian) { bytes.append(contentsOf: $0) }
        }
        samples = bytes
        path = folder + "/noise-\(UUID().uuidString).wav"
        try (Self.header(bytes.count, rate: UInt32(rate)) + bytes).write(to: URL(filePath: path))
    }

    private static func header(_ length: Int, rate: UInt32) -> Data {
        var data = Data()
        func add(_ text: String) { data.append(contentsOf: text.utf8) }
        func add(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        func add(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        add("RIFF")
        add(UInt32(36 + length))
        add("WAVEfmt ")
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(2))
        add(rate)
        add(rate * 4)
        add(UInt16(4))
        add(UInt16(16))
        add("data")
        add(UInt32(length))
        return data
    }
}

/// Reads a descriptor to its end, on a thread of its own.
package func readAll(_ descriptor: Int32) async -> Data {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            continuation.resume(returning: (try? file.readToEnd()) ?? Data())
        }
    }
}

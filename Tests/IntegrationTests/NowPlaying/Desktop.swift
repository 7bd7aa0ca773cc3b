import Foundation
import HostClient
import Testing

/// A session bus, folders and a daemon of its own, with apps that publish and `playerctl` and `busctl` as the other side.
final class Desktop: Sendable {
    static let isAvailable = ["dbus-daemon", "playerctl", "busctl", "dbus-monitor"].allSatisfy { program($0) != nil }

    let folder: String
    let environment: [String: String]
    private let bus: RunningCommand

    static func program(_ name: String) -> String? {
        ["/usr/bin/", "/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-desktop-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "MDHOST_RUNTIME_DIRECTORY": folder + "/run",
            "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder + "/data", "XDG_CACHE_HOME": folder + "/cache",
            "MDHOST_PROGRAM": PrivateDaemon.program, "WAYLAND_DISPLAY": "wayland-test", "no_proxy": "127.0.0.1",
        ]
        // A bus without service activation: services would outlive the test.
        let settings = """
            <busconfig><type>session</type><auth>EXTERNAL</auth><listen>unix:path=\(folder)/bus</listen>
            <policy context="default"><allow own="*"/><allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/></policy></busconfig>
            """
        try Data(settings.utf8).write(to: URL(filePath: folder + "/bus.conf"))
        bus = try RunningCommand([
            "/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--nosyslog",
        ])
    }

    /// Runs `body` on a new desktop, and ends all programs left on it.
    static func open(_ body: (Desktop) async throws -> Void) async throws {
        let desktop = try Desktop()
        let result: Result<Void, any Error>
        do {
            try await eventually("the session bus") {
                FileManager.default.fileExists(atPath: desktop.folder + "/bus")
            }
            try await body(desktop)
            result = .success(())
        } catch {
            Attachment.record(Array(desktop.log.utf8), named: "daemon.log")
            result = .failure(error)
        }
        await desktop.close()
        try result.get()
    }

    private func close() async {
        for process in processes { kill(process, SIGKILL) }
        await bus.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var log: String { (try? String(contentsOfFile: folder + "/state/mdhost/daemon.log", encoding: .utf8)) ?? "" }

    /// Every live process that was given these folders.
    private var processes: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let mark = Data((folder + "/run").utf8)
        return names.compactMap(Int32.init).filter {
            (try? Data(contentsOf: URL(filePath: "/proc/\($0)/environ")))?.range(of: mark) != nil
        }
    }

    var daemon: Int32? {
        let text = try? String(contentsOfFile: folder + "/run/lock", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    // MARK: Programs

    func run(_ words: String...) async throws -> CommandResult {
        try await Command.run(words, environment: environment)
    }

    func mdhost(_ words: String...) async throws -> CommandResult {
        try await Command.run([PrivateDaemon.program] + words, environment: environment)
    }

    func playerctl(_ words: String...) async throws -> CommandResult {
        try await Command.run(["/usr/bin/playerctl"] + words, environment: environment)
    }

    /// The players that `playerctl` lists, without `org.mpris.MediaPlayer2.`.
    func players() async throws -> [String] {
        try await playerctl("--list-all").output.split(separator: "\n").map(String.init)
    }

    /// The one player there is.
    func player() async throws -> String {
        var names: [String] = []
        try await eventually("a player") {
            names = try await players()
            return names.count == 1
        }
        return names[0]
    }

    func busctl(_ player: String, _ words: String...) async throws -> CommandResult {
        let place = ["org.mpris.MediaPlayer2." + player, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"]
        return try await Command.run(
            ["/usr/bin/busctl", "--user", words[0]] + place + words.dropFirst(), environment: environment)
    }

    func monitor() async throws -> RunningCommand {
        let monitor = try RunningCommand(
            [
                "/usr/bin/dbus-monitor", "--address", environment["DBUS_SESSION_BUS_ADDRESS"] ?? "",
                "type='signal',path='/org/mpris/MediaPlayer2'",
            ], environment: environment)
        try await eventually("the monitor") { monitor.output.contains("NameAcquired") }
        return monitor
    }

    /// - Parameter isInForeground: `false` for one without a display and a terminal.
    func app(isInForeground: Bool = true) throws -> App { try App(self, isInForeground: isInForeground) }
}

/// A running `PublishingApp`, controlled by lines of text.
final class App: Sendable {
    let process: RunningCommand
    private let keyboard: Keyboard

    fileprivate init(_ desktop: Desktop, isInForeground: Bool) throws {
        keyboard = try Keyboard(in: desktop.folder)
        let way = isInForeground ? "" : "unset WAYLAND_DISPLAY DISPLAY; "
        process = try RunningCommand(
            ["/bin/sh", "-c", way + "exec \"$0\" <\"$1\"", PrivateDaemon.programs + "/PublishingApp", keyboard.path],
            environment: desktop.environment)
    }

    func tell(_ lines: String...) {
        keyboard.type(lines.map { $0 + "\n" }.joined())
    }

    func printed(_ line: String, times: Int = 1) async throws {
        try await eventually("“\(line)” in \(process.output)") {
            process.output.split(separator: "\n").count { $0 == line } >= times
        }
    }

    var lines: [Substring] { process.output.split(separator: "\n") }
}

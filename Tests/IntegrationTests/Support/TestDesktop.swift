import Foundation
import Testing

/// Screens to show: an X display with the time painted on it, and a desktop whose portal shares one.
enum TestDesktop {
    static let hasPortal: Bool = {
        let programs = [
            "/usr/libexec/xdg-desktop-portal", "/usr/bin/pipewire", "/usr/bin/wireplumber", "/usr/bin/gst-launch-1.0",
        ]
        guard programs.allSatisfy({ access($0, X_OK) == 0 }) else { return false }
        let plugins = (try? FileManager.default.subpathsOfDirectory(atPath: "/usr/lib")) ?? []
        return plugins.contains { $0.hasSuffix("gstreamer-1.0/libgstpipewire.so") }
            && access("/usr/lib/python3/dist-packages/dbus/__init__.py", R_OK) == 0
    }()

    /// The number of the X display in this host, which no other lab has.
    private static let number = 300 + Int(getpid()) % 1000

    static var display: String { ":\(number)" }

    /// Runs `body` while an X display shows the time.
    static func showingTheTime(_ body: () async throws -> Void) async throws {
        let server = try RunningCommand(["/usr/bin/Xvfb", display, "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
        try await eventually("the X server") { access("/tmp/.X11-unix/X\(number)", F_OK) == 0 }
        let painter = try RunningCommand([LabHost.tool("screen-clock"), "paint", display])
        let result: Result<Void, any Error>
        do {
            try await eventually("the time") { painter.output.contains("painted") }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await painter.stop()
        await server.stop()
        try result.get()
    }

    struct Reading: Decodable {
        struct Delay: Decodable {
            /// In milliseconds; `nil` if no time could be read.
            var median: Int?
        }

        var delay: Delay
        var rate: Double

        private enum CodingKeys: String, CodingKey {
            case delay = "delay_ms"
            case rate = "pictures_per_second"
        }
    }

    /// Reads the time that Kodi shows, for some seconds.
    static func readingAtKodi(seconds: Int) async throws -> Reading {
        let folder = try #require(ProcessInfo.processInfo.environment["MDHOST_LAB_DIR"])
        let number = try String(contentsOfFile: folder + "/c/kodi/display", encoding: .utf8)
        return try await reading(
            in: "c", ":" + number.trimmingCharacters(in: .whitespacesAndNewlines), seconds: seconds)
    }

    /// Reads the time that an X display of another host shows, for some seconds.
    static func reading(in host: String, _ display: String, seconds: Int) async throws -> Reading {
        let result = try await Command.run(
            [
                LabHost.script, "in", host, LabHost.tool("screen-clock"), "read", "\(seconds)",
                "/tmp/.X11-unix/X\(Self.number)", display,
            ], within: .seconds(seconds + 20))
        try #require(result.status == 0, "\(result)")
        return try JSONLines.one(result.output)
    }

    /// Starts a command on a desktop that shares a screen, or refuses to.
    ///
    /// - Parameter end: The sharing ends once this file exists.
    static func start(_ command: [String], refusing: Bool, end: String, in home: Household) throws -> RunningCommand {
        let runtime = home.folder + "/desktop"
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try RunningCommand(
            ["/usr/bin/dbus-run-session", "--", LabHost.tool("screen-desktop"), refusing ? "refuse" : "grant", end]
                + command,
            environment: home.environment.merging(["XDG_RUNTIME_DIR": runtime]) { $1 })
    }
}

import Foundation

/// The places where libpulse finds a server of this user. Without a server, libpulse would create a folder in /tmp for
/// the one it expects there, which is never removed.
///
/// Source: PulseAudio 16.1, `pulse/context.c`, `pulsecore/core-util.c` (`pa_get_runtime_dir`).
struct PulseServerPlaces {
    var environment = ProcessInfo.processInfo.environment
    var systemSocket = "/var/run/pulse/native"
    var systemSettings = "/etc/pulse/client.conf"

    var maySomeServerRun: Bool {
        let named = ["PULSE_SERVER", "PULSE_RUNTIME_PATH", "XDG_RUNTIME_DIR", "DISPLAY"]
        if named.contains(where: { environment[$0]?.isEmpty == false }) { return true }
        if FileManager.default.fileExists(atPath: systemSocket) || namesServer(systemSettings) { return true }
        let settings = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        let own = (try? FileManager.default.contentsOfDirectory(atPath: settings + "/pulse")) ?? []
        return own.contains { $0.hasSuffix("-runtime") } || namesServer(settings + "/pulse/client.conf")
    }

    private func namesServer(_ file: String) -> Bool {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
        return text.split(separator: "\n").contains {
            $0.drop(while: \.isWhitespace).hasPrefix("default-server")
        }
    }
}

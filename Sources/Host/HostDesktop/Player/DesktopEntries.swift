import Foundation
import HostCore

/// The `.desktop` files of apps, by which desktops know their icons.
enum DesktopEntries {
    /// The name of the app's file without its extension; `nil` where it has none.
    static func entry(
        of session: NowPlayingSession, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let name = session.application
        guard session.kind == .local, !name.isEmpty, !name.contains("/") else { return nil }
        let home = environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
        let system = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        let folders = [home] + system.split(separator: ":").map(String.init)
        let isThere = folders.contains {
            FileManager.default.fileExists(atPath: "\($0)/applications/\(name).desktop")
        }
        return isThere ? name : nil
    }
}

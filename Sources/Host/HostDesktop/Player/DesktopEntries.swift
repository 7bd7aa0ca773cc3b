import Foundation
import HostCore
import HostInterface

/// The `.desktop` files of apps, by which desktops know their icons.
enum DesktopEntries {
    /// Returns the name of the app's `.desktop` file without its extension; `nil` if it has none.
    static func entry(
        of session: NowPlayingSession, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let name = session.application
        guard session.kind == .local, !name.isEmpty, !name.contains("/") else { return nil }
        let system = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        let own = UserFolders(environment).data.map { [$0] } ?? []
        let folders = own + system.split(separator: ":").map(String.init)
        let isThere = folders.contains {
            FileManager.default.fileExists(atPath: "\($0)/applications/\(name).desktop")
        }
        return isThere ? name : nil
    }
}

import Foundation

/// The user's folders by the XDG base directory rules, from the environment only, because the home in the password file
/// can differ.
///
/// A relative path counts as none. A folder is `nil` if the environment has neither it nor a home.
package struct UserFolders: Sendable, Hashable {
    package let home: String?
    /// The value of `$XDG_DATA_HOME`, by default `~/.local/share`.
    package let data: String?
    /// The value of `$XDG_STATE_HOME`, by default `~/.local/state`.
    package let state: String?
    /// The value of `$XDG_CACHE_HOME`, by default `~/.cache`.
    package let cache: String?
    /// The value of `$XDG_RUNTIME_DIR`, without a default.
    package let runtime: String?

    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        func absolute(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let home = absolute("HOME")
        self.home = home
        data = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
        state = absolute("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
        cache = absolute("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }
        runtime = absolute("XDG_RUNTIME_DIR")
    }

    /// Returns a path with a leading `~` replaced by the home.
    package func expand(_ path: String) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }
}

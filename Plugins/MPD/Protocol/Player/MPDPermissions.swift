/// The commands this connection may use, as the server's own list tells it.
///
/// A password adds commands to a connection (`read,add,control,…` in the server's configuration); asking `commands` shows
/// what is allowed without changing anything.
/// Source: MPD protocol reference, "Reflection" and "Permissions".
package struct MPDPermissions: Sendable, Hashable {
    package let commands: Set<String>

    package init(commands: Set<String>) { self.commands = commands }

    /// Reads the answer to `commands`.
    package init(_ part: MPDReply.Part) { commands = Set(part.values("command")) }

    package func allows(_ command: String) -> Bool { commands.contains(command) }

    /// What playing an address takes; without one of these a password is needed.
    package static let playback = ["status", "currentsong", "addid", "deleteid", "playid", "pause", "stop", "seekcur"]

    package var missingForPlayback: [String] { Self.playback.filter { !commands.contains($0) } }

    package var allowsPlayback: Bool { missingForPlayback.isEmpty }
}

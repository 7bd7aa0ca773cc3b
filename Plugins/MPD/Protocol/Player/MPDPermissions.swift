/// The commands that the server allows on a connection.
///
/// A password adds commands to a connection (`read,add,control,…` in the server's configuration). The `commands`
/// command lists the allowed ones without changing anything.
///
/// Source: MPD protocol reference, "Reflection" and "Permissions".
public struct MPDPermissions: Sendable, Hashable {
    public let commands: Set<String>

    public init(commands: Set<String>) { self.commands = commands }

    /// Reads the answer to `commands`.
    public init(_ part: MPDReply.Part) { commands = Set(part.values("command")) }

    public func allows(_ command: String) -> Bool { commands.contains(command) }

    /// The commands needed to play an address; if one is missing, a password is needed.
    public static let playback = ["status", "currentsong", "addid", "deleteid", "playid", "pause", "stop", "seekcur"]

    public var missingForPlayback: [String] { Self.playback.filter { !commands.contains($0) } }

    public var allowsPlayback: Bool { missingForPlayback.isEmpty }
}

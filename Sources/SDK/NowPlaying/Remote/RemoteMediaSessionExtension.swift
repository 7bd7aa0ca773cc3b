import ExtensionFoundation
import ExtensionProgram

/// A program that represents an app's remote sessions: the daemon launches it when a session must be shown, updated or
/// commanded, and lets it go when there has been nothing to do for a while.
///
/// The type is the program's entry point, marked `@main`. Its bundle's `Info.plist` names the extension point
/// `com.apple.nowplaying.remote-media`, and its `CFBundleIdentifier` begins with that of the app: `org.example.player.remote`
/// belongs to `org.example.player`.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol RemoteMediaSessionExtension<Attributes>: AppExtension {
    /// What app, server and extension say of a session: the attributes of ``Session``.
    associatedtype Attributes
    /// What represents a session: a ``RemoteMediaSessionRepresentable``.
    associatedtype Session

    /// Makes the session for these attributes; called once for each session while the extension runs.
    ///
    /// Takes ten seconds at most. What it throws is told to who started the session, and in the extension's log.
    func session(_ attributes: Attributes) async throws -> Session
}

extension RemoteMediaSessionExtension
where
    Session: RemoteMediaSessionRepresentable, Attributes: RemoteMediaSessionAttributes,
    Session.Attributes == Attributes
{
    /// Serves the host over the link that it passed, until the host closes it; then the process exits with 0.
    ///
    /// Without a host, as when the program is started by hand, it tells what to do and exits with 64.
    @MainActor
    public static func main() throws {
        ExtensionProgram.run(label: "NowPlaying", advice: RemoteMediaAdvice.text) { connection in
            try await RemoteSessionRuntime(connection: connection).run(Self())
        }
    }
}

extension RemoteMediaSessionExtension {
    // Without it, an extension that lacks a constraint would run AppExtension's main(), which always throws.
    /// Tells at compile time what an extension lacks.
    @available(
        *, unavailable,
        message: "session(_:) takes a RemoteMediaSessionAttributes and returns a RemoteMediaSessionRepresentable"
    )
    @MainActor
    public static func main() throws {}
}

/// What decides whether a remote session extension takes its host's connection: one of the same user, or of root.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public final class RemoteMediaSessionExtensionConfiguration<Extension>: AppExtensionConfiguration {
    // Only here is it asked what the extension conforms to: where its conformance is isolated to the main actor, as in a
    // module that is so by default, the type itself could not be named otherwise.
    /// The configuration of that extension.
    public init(extension: Extension)
    where
        Extension: RemoteMediaSessionExtension, Extension.Session: RemoteMediaSessionRepresentable,
        Extension.Attributes: RemoteMediaSessionAttributes, Extension.Session.Attributes == Extension.Attributes
    {}

    /// Whether the host runs as the same user, or as root.
    public nonisolated func accept(connection: NSXPCConnection) -> Bool { connection.isOfSameUser }
}

/// What somebody reads who starts such an extension by hand.
private enum RemoteMediaAdvice {
    static func text(_ program: String) -> String {
        """
        \(program) represents media sessions of an app: mdhost starts it when one is to be shown.

        To have it found, put it into a folder NAME.mdext together with its Info.plist, and the folder into
        $XDG_DATA_HOME/mdhost/extensions (usually ~/.local/share/mdhost/extensions) or
        /usr/local/lib/mdhost/extensions. Then:

            mdhost extension list      shows whether mdhost finds and accepts it
            mdhost now-playing list    shows its sessions

        """
    }
}

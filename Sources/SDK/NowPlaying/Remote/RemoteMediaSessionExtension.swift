public import ExtensionFoundation
import ExtensionProgram

/// A program that represents an app's remote sessions.
///
/// The daemon launches it to show, update or control a session, and lets it exit after a while without work.
///
/// The type is the program's entry point, marked `@main`. The `Info.plist` of its bundle names the extension point
/// `com.apple.nowplaying.remote-media`, and its `CFBundleIdentifier` begins with the app's: `org.example.player.remote`
/// belongs to `org.example.player`.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol RemoteMediaSessionExtension<Attributes>: AppExtension {
    /// The attributes of ``Session``, which app, server and extension share.
    associatedtype Attributes
    /// The type of the sessions, a ``RemoteMediaSessionRepresentable``.
    associatedtype Session

    /// Creates the session for the attributes. The daemon requests each session once while the extension runs.
    ///
    /// - Returns: A session with the identifier of the attributes, within ten seconds.
    /// - Throws: Any error. The app that started the session and the extension's log get its text.
    func session(_ attributes: Attributes) async throws -> Session
}

extension RemoteMediaSessionExtension
where
    Session: RemoteMediaSessionRepresentable, Attributes: RemoteMediaSessionAttributes,
    Session.Attributes == Attributes
{
    /// Serves the host over the inherited link until the host closes it, and then exits with status 0.
    ///
    /// Without a host, for example in a shell, it prints instructions and exits with status 64.
    @MainActor
    public static func main() throws {
        ExtensionProgram.run(label: "NowPlaying", advice: RemoteMediaAdvice.text) { connection in
            try await RemoteSessionRuntime(connection: connection).run(Self())
        }
    }
}

extension RemoteMediaSessionExtension {
    // Without it, an extension that lacks a constraint would run AppExtension's main(), which always throws.
    /// An unavailable overload whose message explains at compile time why the extension can't run.
    @available(
        *, unavailable,
        message: "session(_:) takes a RemoteMediaSessionAttributes and returns a RemoteMediaSessionRepresentable"
    )
    @MainActor
    public static func main() throws {}
}

/// The configuration of an extension for remote sessions. It accepts a connection from the same user or from root.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public final class RemoteMediaSessionExtensionConfiguration<Extension>: AppExtensionConfiguration {
    // The requirements are only on the initializer: if the extension's conformance is isolated to the main actor, as by
    // default in some modules, requirements on the type would make the type unusable.
    /// Creates the configuration of an extension.
    public init(extension: Extension)
    where
        Extension: RemoteMediaSessionExtension, Extension.Session: RemoteMediaSessionRepresentable,
        Extension.Attributes: RemoteMediaSessionAttributes, Extension.Session.Attributes == Extension.Attributes
    {}

    /// Returns a Boolean value that indicates whether the host runs as the same user or as root.
    public nonisolated func accept(connection: NSXPCConnection) -> Bool { connection.isOfSameUser }
}

/// The instructions for a person who runs such an extension in a shell.
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

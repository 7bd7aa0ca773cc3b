/// A program that extends a host: the host launches it, talks to it over one link and ends it.
///
/// The type is the program's entry point, marked `@main`. Which host launches it is told by its extension point, in the
/// `Info.plist` of the installed folder and in ``extensionPoint``.
@MainActor public protocol AppExtension {
    /// What decides about connections from the host.
    associatedtype Configuration: AppExtensionConfiguration

    /// What decides about connections from the host; asked for once, after `init()`.
    @preconcurrency @MainActor var configuration: Configuration { get }

    /// Makes the extension. Called once, by `main()`, before anything else.
    @preconcurrency @MainActor init()

    /// Where the extension plugs in. The default is ``AppExtensionPoint/unspecified``: the manifest decides.
    @MainActor @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }
}

extension AppExtension {
    /// The default: the manifest decides.
    @MainActor public var extensionPoint: AppExtensionPoint { .unspecified }

    /// Runs an extension of a point that no host on Linux serves: always throws.
    ///
    /// Protocols of a served point, such as `MediaDeviceExtension`, have a `main()` of their own that runs until the
    /// host ends the link.
    ///
    /// - Throws: ``AppExtensionError/unservedExtensionPoint(_:)``.
    @preconcurrency @MainActor public static func main() throws {
        throw AppExtensionError.unservedExtensionPoint(Self().extensionPoint)
    }
}

/// Decides about connections from the host.
@preconcurrency @MainActor public protocol AppExtensionConfiguration: Sendable {
    /// Whether a connection the host opened may be used. Called once per connection, on any thread.
    nonisolated func accept(connection: NSXPCConnection) -> Bool
}

/// Why an extension cannot run. Available on Linux only.
public enum AppExtensionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No host on Linux launches extensions of this point.
    case unservedExtensionPoint(AppExtensionPoint)
    /// The program was started by hand: the host passes a link, and there is none. The name is the program's.
    case noHost(program: String)
    /// The extension's configuration did not accept the host's connection.
    case connectionRefused
    /// The text isn't the name of an extension point.
    case invalidIdentifier(String)
    /// The daemon, which knows the extensions, can't be reached; its own sentence tells why.
    case hostUnavailable(String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .unservedExtensionPoint(let point):
            "No host on Linux serves the extension point \(point.identifier?.rawValue ?? "of this program")."
        case .noHost(let program):
            "\(program) is an extension: install it and let the host start it, instead of running it by hand."
        case .invalidIdentifier(let text): "“\(text)” isn't the name of an extension point."
        case .hostUnavailable(let reason): reason
        case .connectionRefused: "The extension refused the connection of its host."
        }
    }
}

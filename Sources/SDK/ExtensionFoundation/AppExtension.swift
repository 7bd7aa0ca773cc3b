/// A program that extends a host. The host launches it, talks to it over one link, and ends it.
///
/// The type is the program's entry point, marked `@main`. The extension point determines the host; it is declared in
/// the `Info.plist` of the installed folder and in ``extensionPoint``.
@MainActor public protocol AppExtension {
    /// The type of the configuration.
    associatedtype Configuration: AppExtensionConfiguration

    /// The configuration, which decides about connections from the host. It is read once, after `init()`.
    @preconcurrency @MainActor var configuration: Configuration { get }

    /// Creates the extension. `main()` calls it once, before anything else.
    @preconcurrency @MainActor init()

    /// The extension point. The default is ``AppExtensionPoint/unspecified``, for the one in the `Info.plist`.
    @MainActor @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }
}

extension AppExtension {
    /// The default: the extension point in the `Info.plist`.
    @MainActor public var extensionPoint: AppExtensionPoint { .unspecified }

    /// Throws an error, because no host on Linux serves the extension point.
    ///
    /// The protocols of served points, such as `MediaDeviceExtension`, have their own `main()`, which runs until the
    /// host closes the link.
    ///
    /// - Throws: ``AppExtensionError/unservedExtensionPoint(_:)``
    @preconcurrency @MainActor public static func main() throws {
        throw AppExtensionError.unservedExtensionPoint(Self().extensionPoint)
    }
}

/// A configuration that decides about connections from the host.
@preconcurrency @MainActor public protocol AppExtensionConfiguration: Sendable {
    /// Returns a Boolean value that indicates whether the extension accepts a connection from the host. Called once per
    /// connection, on any thread.
    nonisolated func accept(connection: NSXPCConnection) -> Bool
}

/// An error that prevents an extension from running, or from being listed. Available on Linux only.
public enum AppExtensionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No host on Linux serves this extension point.
    case unservedExtensionPoint(AppExtensionPoint)
    /// The program has no link to a host, for example because it runs in a shell. The value is the name of the program.
    /// Install the extension and let the host start it.
    case noHost(program: String)
    /// The extension's configuration refused the host's connection.
    case connectionRefused
    /// The text isn't a valid name of an extension point.
    case invalidIdentifier(String)
    /// The daemon isn't reachable; the value is its reason.
    case hostUnavailable(String)

    /// The error as one sentence for people.
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

/// The well-known names of the daemon on D-Bus: bus name, object paths and interfaces.
///
/// Shapes and semantics of every member are documented in `docs/dbus.md`.
package enum HostNames {
    /// The daemon's name on the session bus.
    package static let busName = "org.mdhost"
    /// The object manager's path; every other client-facing object is below it.
    package static let rootPath = "/org/mdhost"
    package static let devicesPath = "/org/mdhost/devices"
    package static let sessionsPath = "/org/mdhost/sessions"
    package static let extensionsPath = "/org/mdhost/extensions"
    package static let leasesPath = "/org/mdhost/leases"
    package static let nowPlayingPath = "/org/mdhost/nowplaying"
    package static let mediaPath = "/org/mdhost/media"

    package static let managerInterface = "org.mdhost.Manager1"
    package static let deviceInterface = "org.mdhost.Device1"
    package static let sessionInterface = "org.mdhost.Session1"
    package static let extensionInterface = "org.mdhost.Extension1"
    package static let leaseInterface = "org.mdhost.DiscoveryLease1"

    package static let nowPlayingInterface = "org.mdhost.NowPlaying1"
    package static let mediaInterface = "org.mdhost.MediaSession1"

    /// Implemented by a client that registered a media session.
    package static let mediaHandlerInterface = "org.mdhost.MediaSessionHandler1"
    /// Implemented by a client that can show a pairing prompt.
    package static let agentInterface = "org.mdhost.PairingAgent1"
    /// Implemented by an app that registered with `Manager1.RegisterApplication`.
    package static let observerInterface = "org.mdhost.RouteObserver1"

    /// The host's side of the link to an extension process.
    package static let hostLinkInterface = "org.mdhost.HostLink1"
    package static let hostLinkPath = "/org/mdhost/host"
    /// The extension's side of that link.
    package static let extensionLinkInterface = "org.mdhost.ExtensionLink1"
    package static let extensionLinkPath = "/org/mdhost/extension"

    /// The side of an extension that shows remote sessions; its objects for them are below ``extensionLinkPath``.
    package static let mediaLinkInterface = "org.mdhost.MediaSessionLink1"

    /// The object path of a device: its identifier without the hyphens D-Bus forbids.
    package static func devicePath(_ identifier: String) -> String {
        devicesPath + "/" + swap(identifier, 0x2D, for: 0x5F).lowercased()
    }

    /// The device whose object path that is: the reverse of ``devicePath(_:)`` for identifiers as the host keeps them, UUIDs
    /// in upper case.
    package static func deviceIdentifier(_ path: String) -> String {
        swap(String(path.dropFirst(devicesPath.count + 1)), 0x5F, for: 0x2D).uppercased()
    }

    private static func swap(_ text: String, _ byte: UInt8, for other: UInt8) -> String {
        String(decoding: text.utf8.map { $0 == byte ? other : $0 }, as: UTF8.self)
    }

    package static func sessionPath(_ identifier: String) -> String { sessionsPath + "/" + identifier }

    package static func mediaSessionPath(_ identifier: String) -> String { mediaPath + "/" + identifier }

    package static func extensionPath(_ name: String) -> String {
        extensionsPath + "/"
            + String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

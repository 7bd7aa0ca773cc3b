/// The names of the daemon on D-Bus: bus name, object paths and interfaces.
///
/// `docs/dbus.md` documents all members.
package enum HostNames {
    /// The name on the session bus.
    package static let busName = "org.mdhost"
    /// The path of the object manager. All other objects for clients are below it.
    package static let rootPath = "/org/mdhost"
    /// The application identifier of the extension itself, for data between it and apps.
    package static let extensionApplication = "com.apple.media-device-extension"
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

    /// The interface of the page in the browser on its own socket, and its path there.
    package static let pageInterface = "org.mdhost.Page1"
    package static let pagePath = "/org/mdhost/page"

    /// The interface of a client that registered a media session.
    package static let mediaHandlerInterface = "org.mdhost.MediaSessionHandler1"
    /// The interface of a client that can show a pairing prompt.
    package static let agentInterface = "org.mdhost.PairingAgent1"
    /// The interface of an app that registered with `Manager1.RegisterApplication`.
    package static let observerInterface = "org.mdhost.RouteObserver1"

    /// The interface of the host on the link to an extension.
    package static let hostLinkInterface = "org.mdhost.HostLink1"
    package static let hostLinkPath = "/org/mdhost/host"
    /// The interface of the extension on that link.
    package static let extensionLinkInterface = "org.mdhost.ExtensionLink1"
    package static let extensionLinkPath = "/org/mdhost/extension"

    /// The interface of an extension for remote sessions. Its objects for them are below ``extensionLinkPath``.
    package static let mediaLinkInterface = "org.mdhost.MediaSessionLink1"

    /// Returns the object path of a device: its identifier without the hyphens, which D-Bus doesn't allow.
    package static func devicePath(_ identifier: String) -> String {
        devicesPath + "/" + swap(identifier, 0x2D, for: 0x5F).lowercased()
    }

    /// Returns the device identifier, an upper-case UUID, of an object path: the inverse of ``devicePath(_:)``.
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

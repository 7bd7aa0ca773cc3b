package import HostCore

/// The validated contents of an installed extension's `<name>.mdext/Info.plist`, known without running it.
package struct ExtensionManifest: Sendable, Hashable, Identifiable {
    /// One entry of `UTExportedTypeDeclarations` that conforms to `public.media-sharing-protocol`.
    package struct SharingProtocol: Sendable, Hashable {
        /// `UTTypeIdentifier`, e.g. `org.upnp.media-renderer`.
        package let identifier: String
        /// The name shown to users (`UTTypeDescription`), or the identifier.
        package let name: String

        package init(identifier: String, name: String) {
            self.identifier = identifier
            self.name = name
        }
    }

    /// `CFBundleIdentifier`: ASCII letters, digits, `.`, `-` and `_`, never starting with a dot, so that it is a safe
    /// folder name.
    package let identifier: String
    /// `EXAppExtensionAttributes.EXExtensionPointIdentifier`.
    package let point: ExtensionPoint
    /// `CFBundleDisplayName`, else `CFBundleName`, else the identifier.
    package let displayName: String
    /// `CFBundleShortVersionString`, else `CFBundleVersion`, else `0`.
    package let version: String
    /// The `.mdext` folder, absolute.
    package let bundlePath: String
    /// The program to run, absolute; was a regular, executable file when the manifest was read.
    package let executablePath: String
    /// The protocols, in the order of the file. It is never empty for ``ExtensionPoint/mediaDevice``, and always empty
    /// for other points.
    package let protocols: [SharingProtocol]
    /// `MDRequestedDomains`: origins or hosts the extension asks to reach.
    package let requestedDomains: [String]
    /// `NSBonjourServices` without a trailing dot: `_mpd._tcp`.
    package let bonjourServices: [String]
    /// `MDHostAnnouncedServices` without a trailing dot: types of services the extension may announce.
    package let announcedServices: [String]
    /// `MDHostSSDPSearchTargets`: `urn:schemas-upnp-org:device:MediaRenderer:1`.
    package let ssdpSearchTargets: [String]
    /// `MDHostListeningPorts`: TCP ports the extension may listen on.
    package let listeningPorts: [UInt16]
    /// `MDHostTakesReverseConnections`: whether devices connect to ports of the system's choice.
    package let takesReverseConnections: Bool
    /// `MDHostRunsPrograms`: whether the extension may start processes.
    package let runsPrograms: Bool

    /// The files it was read from and runs, so that another state of them makes another manifest.
    var revision: [FileRevision] = []

    package init(
        identifier: String, point: ExtensionPoint = .mediaDevice, displayName: String, version: String,
        bundlePath: String, executablePath: String,
        protocols: [SharingProtocol], requestedDomains: [String] = [], bonjourServices: [String] = [],
        announcedServices: [String] = [],
        ssdpSearchTargets: [String] = [], listeningPorts: [UInt16] = [], takesReverseConnections: Bool = false,
        runsPrograms: Bool = false
    ) {
        self.identifier = identifier
        self.point = point
        self.displayName = displayName
        self.version = version
        self.bundlePath = bundlePath
        self.executablePath = executablePath
        self.protocols = protocols
        self.requestedDomains = requestedDomains
        self.bonjourServices = bonjourServices
        self.announcedServices = announcedServices
        self.ssdpSearchTargets = ssdpSearchTargets
        self.listeningPorts = listeningPorts
        self.takesReverseConnections = takesReverseConnections
        self.runsPrograms = runsPrograms
    }

    package var id: String { identifier }
    package var infoPath: String { bundlePath + "/Info.plist" }
}

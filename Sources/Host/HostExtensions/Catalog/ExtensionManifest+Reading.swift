import Foundation
import HostCore

extension ExtensionManifest {
    private static let sharingProtocolType = "public.media-sharing-protocol"

    /// Reads and checks a bundle.
    ///
    /// - Parameters:
    ///   - bundle: Absolute path of the `.mdext` folder.
    ///   - executableFolder: Where the program is looked for when it is not in the bundle (a build folder).
    package static func read(
        bundle: String, executableFolder: String? = nil
    ) throws(ExtensionManifestError) -> ExtensionManifest {
        let file = bundle + "/Info.plist"
        // Before the reading: what changes meanwhile makes a difference to the next one.
        let revision = FileRevision(path: file)
        let raw = try PropertyListFile.decode(RawManifest.self, at: file)
        let check = ManifestCheck(file: file)

        let point = try point(raw, file: file)
        try check.identifier(raw.CFBundleIdentifier, key: "CFBundleIdentifier")
        let displayName = raw.CFBundleDisplayName ?? raw.CFBundleName ?? raw.CFBundleIdentifier
        try check.text(displayName, key: "CFBundleDisplayName")
        let version = raw.CFBundleShortVersionString ?? raw.CFBundleVersion ?? "0"
        try check.text(version, key: "CFBundleShortVersionString")

        var manifest = ExtensionManifest(
            identifier: raw.CFBundleIdentifier, point: point, displayName: displayName, version: version,
            bundlePath: bundle,
            executablePath: try executable(
                raw.CFBundleExecutable, file: file, folders: [bundle] + (executableFolder.map { [$0] } ?? [])),
            protocols: point == .mediaDevice ? try protocols(raw.UTExportedTypeDeclarations, check: check) : [],
            requestedDomains: try check.list(
                raw.EXAppExtensionAttributes?.MDRequestedDomains, key: "EXAppExtensionAttributes.MDRequestedDomains",
                rule: "must hold origins or host names", isValid: check.isToken),
            bonjourServices: try check.bonjourTypes(raw.NSBonjourServices, key: "NSBonjourServices"),
            announcedServices: try check.bonjourTypes(raw.MDHostAnnouncedServices, key: "MDHostAnnouncedServices"),
            ssdpSearchTargets: try check.list(
                raw.MDHostSSDPSearchTargets, key: "MDHostSSDPSearchTargets",
                rule: "must hold search targets such as “upnp:rootdevice”", isValid: check.isToken),
            listeningPorts: try check.ports(raw.MDHostListeningPorts, key: "MDHostListeningPorts"),
            takesReverseConnections: raw.MDHostTakesReverseConnections ?? false,
            runsPrograms: raw.MDHostRunsPrograms ?? false)
        manifest.revision = [revision, FileRevision(path: manifest.executablePath)]
        return manifest
    }

    /// Returns the extension point. A manifest may omit it, because the program itself checks the point that it serves.
    /// Until it runs, an exported protocol distinguishes a media device extension from a remote session extension.
    private static func point(_ raw: RawManifest, file: String) throws(ExtensionManifestError) -> ExtensionPoint {
        guard let name = raw.EXAppExtensionAttributes?.EXExtensionPointIdentifier else {
            let hasProtocol = raw.UTExportedTypeDeclarations?.contains {
                $0.UTTypeConformsTo?.values.contains(sharingProtocolType) == true
            }
            return hasProtocol == true ? .mediaDevice : .remoteMedia
        }
        guard let point = ExtensionPoint(rawValue: name) else {
            throw ExtensionManifestError(
                file: file, key: "EXAppExtensionAttributes.EXExtensionPointIdentifier",
                .wrongExtensionPoint(found: String(name.prefix(100))))
        }
        return point
    }

    private static func protocols(
        _ declarations: [RawManifest.TypeDeclaration]?, check: ManifestCheck
    ) throws(ExtensionManifestError) -> [SharingProtocol] {
        guard let declarations else {
            throw ExtensionManifestError(file: check.file, key: "UTExportedTypeDeclarations", .missingKey)
        }
        var protocols: [SharingProtocol] = []
        for (index, declaration) in declarations.enumerated()
        where declaration.UTTypeConformsTo?.values.contains(sharingProtocolType) == true {
            let key = "UTExportedTypeDeclarations.\(index)"
            try check.identifier(declaration.UTTypeIdentifier, key: key + ".UTTypeIdentifier")
            let name = declaration.UTTypeDescription ?? declaration.UTTypeIdentifier
            try check.text(name, key: key + ".UTTypeDescription")
            protocols.append(SharingProtocol(identifier: declaration.UTTypeIdentifier, name: name))
        }
        guard !protocols.isEmpty else {
            throw ExtensionManifestError(
                file: check.file, key: "UTExportedTypeDeclarations",
                .invalidValue("must declare a type that conforms to “\(sharingProtocolType)”"))
        }
        return protocols
    }

    private static func executable(
        _ name: String, file: String, folders: [String]
    ) throws(ExtensionManifestError) -> String {
        let key = "CFBundleExecutable"
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else {
            throw ExtensionManifestError(file: file, key: key, .invalidValue("must be a file name without a path"))
        }
        let places = folders.map { $0 + "/" + name }
        for place in places {
            var status = stat()
            guard stat(place, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT == S_IFREG, access(place, X_OK) == 0 else {
                throw ExtensionManifestError(file: file, key: key, .executableNotRunnable(path: place))
            }
            return place
        }
        throw ExtensionManifestError(file: file, key: key, .executableMissing(lookedAt: places))
    }
}

/// The keys as an author writes them.
private struct RawManifest: Decodable {
    struct Attributes: Decodable {
        var EXExtensionPointIdentifier: String?
        var MDRequestedDomains: [String]?
    }

    struct TypeDeclaration: Decodable {
        var UTTypeIdentifier: String
        var UTTypeDescription: String?
        var UTTypeConformsTo: OneOrMany?
    }

    /// Apple's tools write a single type as a plain string.
    struct OneOrMany: Decodable {
        var values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                values = [value]
            } else {
                values = try container.decode([String].self)
            }
        }
    }

    var CFBundleIdentifier: String
    var CFBundleExecutable: String
    var CFBundleDisplayName: String?
    var CFBundleName: String?
    var CFBundleShortVersionString: String?
    var CFBundleVersion: String?
    var EXAppExtensionAttributes: Attributes?
    var UTExportedTypeDeclarations: [TypeDeclaration]?
    var NSBonjourServices: [String]?
    var MDHostAnnouncedServices: [String]?
    var MDHostSSDPSearchTargets: [String]?
    var MDHostListeningPorts: [Int]?
    var MDHostTakesReverseConnections: Bool?
    var MDHostRunsPrograms: Bool?
}

/// The rules for the manifest's strings: they end up in paths, in multicast packets and on terminals.
private struct ManifestCheck {
    let file: String

    func identifier(_ value: String, key: String) throws(ExtensionManifestError) {
        let isAllowed = value.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || ".-_".utf8.contains($0)
        }
        guard isAllowed, !value.isEmpty, value.utf8.count <= 200, !value.hasPrefix(".") else {
            throw ExtensionManifestError(
                file: file, key: key, .invalidValue("must be 1 to 200 letters, digits, dots, hyphens and underscores"))
        }
    }

    func text(_ value: String, key: String) throws(ExtensionManifestError) {
        guard !value.isEmpty, value.utf8.count <= 200, !value.unicodeScalars.contains(where: isControl) else {
            throw ExtensionManifestError(
                file: file, key: key, .invalidValue("must be 1 to 200 bytes without control characters"))
        }
    }

    func list(
        _ values: [String]?, key: String, rule: String, isValid: (String) -> Bool
    ) throws(ExtensionManifestError) -> [String] {
        let values = values ?? []
        guard values.count <= 64, values.allSatisfy(isValid) else {
            throw ExtensionManifestError(file: file, key: key, .invalidValue(rule + ", 64 at most"))
        }
        return values
    }

    func bonjourTypes(_ values: [String]?, key: String) throws(ExtensionManifestError) -> [String] {
        try list(values, key: key, rule: "must hold types such as “_mpd._tcp”", isValid: isBonjourType)
            .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }

    func ports(_ values: [Int]?, key: String) throws(ExtensionManifestError) -> [UInt16] {
        let values = values ?? []
        let ports = values.compactMap { UInt16(exactly: $0) }.filter { $0 >= 1024 }
        guard values.count <= 64, ports.count == values.count else {
            throw ExtensionManifestError(
                file: file, key: key, .invalidValue("must hold ports from 1024 to 65535, 64 at most"))
        }
        return ports
    }

    func isToken(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 255 && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    func isBonjourType(_ value: String) -> Bool {
        let name = value.hasSuffix(".") ? value.dropLast() : value[...]
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp", labels[0].first == "_" else {
            return false
        }
        let service = labels[0].dropFirst().utf8
        return 1...15 ~= service.count && isToken(value)
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
            // Bidirectional overrides make a name read as another one.
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}

import Foundation

/// Finds valid but probably unintended manifest entries: unused keys and undeclared types.
enum ManifestInspection {
    /// The keys that are used from an `Info.plist`, and those that Apple's tools write and that have no effect here.
    private static let keys: Set<String> = [
        "CFBundleIdentifier", "CFBundleExecutable", "CFBundleDisplayName", "CFBundleName", "CFBundleShortVersionString",
        "CFBundleVersion", "EXAppExtensionAttributes", "UTExportedTypeDeclarations", "UTImportedTypeDeclarations",
        "NSBonjourServices", "MDHostAnnouncedServices", "MDHostSSDPSearchTargets", "MDHostListeningPorts",
        "MDHostTakesReverseConnections", "MDHostRunsPrograms",
    ]
    private static let harmlessKeys: Set<String> = [
        "CFBundleDevelopmentRegion", "CFBundleInfoDictionaryVersion", "CFBundlePackageType", "CFBundleSignature",
        "CFBundleSupportedPlatforms", "LSMinimumSystemVersion", "MinimumOSVersion", "NSHumanReadableCopyright",
        "NSLocalNetworkUsageDescription", "NSBluetoothAlwaysUsageDescription", "UIDeviceFamily", "UIBackgroundModes",
    ]
    private static let attributes: Set<String> = ["EXExtensionPointIdentifier", "MDRequestedDomains"]
    private static let declarationKeys: Set<String> = [
        "UTTypeIdentifier", "UTTypeDescription", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeVersion",
        "UTTypeReferenceURL", "UTTypeIcons",
    ]

    static func findings(_ list: [String: Any]) -> [ExtensionFinding] {
        var findings = unknown(list.keys.filter { !harmlessKeys.contains($0) }, among: keys, path: "")
        if let dictionary = list["EXAppExtensionAttributes"] as? [String: Any] {
            findings += unknown(Array(dictionary.keys), among: attributes, path: "EXAppExtensionAttributes.")
        }
        for (index, declaration) in (list["UTExportedTypeDeclarations"] as? [[String: Any]] ?? []).enumerated() {
            findings += unknown(
                Array(declaration.keys), among: declarationKeys, path: "UTExportedTypeDeclarations.\(index).")
        }
        return findings
    }

    /// - Parameter list: The manifest of an extension that uses `CoreBluetooth`.
    static func bluetoothFindings(_ list: [String: Any]) -> [ExtensionFinding] {
        let key = "NSBluetoothAlwaysUsageDescription"
        let reason = (list[key] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard reason.isEmpty else { return [] }
        return [
            ExtensionFinding(
                .warning, key: key, "It uses Bluetooth, and its manifest doesn't say why.",
                remedy: "Add \(key), a sentence for people. Apple's systems end an extension without it.")
        ]
    }

    private static func unknown(_ found: [String], among known: Set<String>, path: String) -> [ExtensionFinding] {
        found.filter { !known.contains($0) }.sorted().map { key in
            let suggestion = nearest(key, known).map { "Did you mean \($0)?" }
            return ExtensionFinding(
                .warning, key: path + key, "The key \(path + key) isn't used.",
                remedy: suggestion ?? "Remove it, or look its name up in the documentation.")
        }
    }

    /// Returns the most similar known key, if it differs by no more than a typing error: at most three letters.
    static func nearest(_ key: String, _ known: Set<String>) -> String? {
        let distances = known.map { (distance(key.lowercased(), $0.lowercased()), $0) }
        guard let best = distances.min(by: <), best.0 <= min(3, key.count / 3) else { return nil }
        return best.1
    }

    /// Returns the Levenshtein distance: the number of insertions, removals and replacements between two texts.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (index, letter) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == right[column] ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

import HostCore

/// A certain or possible problem of an extension.
package struct ExtensionFinding: Codable, Sendable, Hashable {
    package enum Severity: String, Codable, Sendable {
        /// The extension can't be used.
        case error
        /// The extension can be used, but something won't work as intended.
        case warning
    }

    package let severity: Severity
    /// The path of the affected manifest key, with dots, if any.
    package let key: String?
    /// One sentence.
    package let message: String
    /// The remedy, in one sentence.
    package let remedy: String?

    package init(_ severity: Severity, key: String? = nil, _ message: String, remedy: String? = nil) {
        self.severity = severity
        self.key = key
        self.message = message
        self.remedy = remedy
    }
}

/// The result of checking an extension.
package struct ExtensionCheckReport: Codable, Sendable, Hashable {
    /// The `.mdext` folder.
    package var bundle: String
    package var identifier: String?
    package var name: String?
    /// The program that was run.
    package var program: String?
    /// A Boolean value that indicates whether the running extension sent its greeting.
    package var isGreeted = false
    /// The browsed service types, sorted.
    package var browsedTypes: [String] = []
    /// A Boolean value that indicates whether the extension discovers devices by Bluetooth.
    package var usesBluetooth = false
    /// Names of devices it found while it was tried.
    package var foundDevices: [String] = []
    package var findings: [ExtensionFinding] = []

    package init(bundle: String) { self.bundle = bundle }

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

extension ExtensionFinding {
    /// Creates a report about an invalid manifest, with a remedy.
    package init(_ error: ExtensionManifestError) {
        let remedy: String? =
            switch (error.reason, error.key) {
            case (.missingKey, let key?): "Add \(key.split(separator: ".").last ?? "") to the Info.plist."
            case (.wrongExtensionPoint, _):
                "Set EXExtensionPointIdentifier to “\(ExtensionPoint.mediaDevice.rawValue)”."
            case (.invalidValue, "NSBonjourServices"), (.invalidValue, "MDHostAnnouncedServices"):
                "A type is like _kitchen._tcp, with at most 15 characters between the underscore and the dot (RFC 6335)."
            case (.executableMissing, _):
                "Build the program, and name it in CFBundleExecutable as its target in Package.swift is named."
            case (.executableNotRunnable(let path), _): "Make it executable: chmod +x \(path)"
            case (.notAPropertyList, _):
                "Compare it with the one `mdhost extension new` writes; plutil or xmllint name the line."
            case (.unreadable, nil): "Put an Info.plist into the folder."
            default: nil
            }
        self.init(.error, key: error.key, error.message, remedy: remedy)
    }
}

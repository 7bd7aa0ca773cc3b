import HostCore

/// Something that is wrong, or looks wrong, with an extension.
package struct ExtensionFinding: Codable, Sendable, Hashable {
    package enum Severity: String, Codable, Sendable {
        /// It cannot be used like this.
        case error
        /// It can be used, and something will not work as meant.
        case warning
    }

    package let severity: Severity
    /// The manifest's key with dots, where the trouble is there.
    package let key: String?
    /// One sentence.
    package let message: String
    /// What to do, one sentence.
    package let remedy: String?

    package init(_ severity: Severity, key: String? = nil, _ message: String, remedy: String? = nil) {
        self.severity = severity
        self.key = key
        self.message = message
        self.remedy = remedy
    }
}

/// What a check of an extension found.
package struct ExtensionCheckReport: Codable, Sendable, Hashable {
    /// The `.mdext` folder.
    package var bundle: String
    package var identifier: String?
    package var name: String?
    /// The program that was run.
    package var program: String?
    /// Whether it introduced itself when it was run.
    package var isGreeted = false
    /// What it browses for, sorted.
    package var browsedTypes: [String] = []
    /// Whether it looks for devices by Bluetooth.
    package var usesBluetooth = false
    /// Names of devices it found while it was tried.
    package var foundDevices: [String] = []
    package var findings: [ExtensionFinding] = []

    package init(bundle: String) { self.bundle = bundle }

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

extension ExtensionFinding {
    /// A manifest that is not accepted, with what to do.
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

import Foundation

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let template = NSTemporaryDirectory() + "/mdhost-extensions-XXXXXX"
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil, let resolved = realpath(bytes, nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }
}

/// The property list of a good extension, to be spoilt key by key.
struct InfoPlist {
    var identifier = "<string>org.example.good</string>"
    var executable = "<string>good</string>"
    var displayName = "<string>Good</string>"
    var point = "<string>com.apple.media-device-extension</string>"
    var domains = "<array><string>https://example.org</string></array>"
    var types = """
        <array><dict>
        <key>UTTypeIdentifier</key><string>org.example.sharing</string>
        <key>UTTypeDescription</key><string>Example Sharing</string>
        <key>UTTypeConformsTo</key><array><string>public.media-sharing-protocol</string></array>
        </dict></array>
        """
    var bonjour = "<array><string>_example._tcp.</string></array>"
    var ssdp = "<array><string>urn:schemas-upnp-org:device:MediaRenderer:1</string></array>"
    var extra = ""

    /// A value by the path an error names.
    subscript(key: String) -> String {
        get { self[keyPath: Self.path(of: key)] }
        set { self[keyPath: Self.path(of: key)] = newValue }
    }

    private static func path(of key: String) -> WritableKeyPath<InfoPlist, String> {
        switch key {
        case "CFBundleIdentifier": \.identifier
        case "CFBundleExecutable": \.executable
        case "EXAppExtensionAttributes.EXExtensionPointIdentifier": \.point
        case "EXAppExtensionAttributes.MDRequestedDomains": \.domains
        case "UTExportedTypeDeclarations": \.types
        case "NSBonjourServices": \.bonjour
        default: \.extra
        }
    }

    var text: String {
        func entry(_ key: String, _ value: String) -> String { value.isEmpty ? "" : "<key>\(key)</key>\(value)\n" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            \(entry("CFBundleIdentifier", identifier))\(entry("CFBundleExecutable", executable))\
            \(entry("CFBundleDisplayName", displayName))\(entry("CFBundleShortVersionString", "<string>1.2</string>"))\
            <key>EXAppExtensionAttributes</key><dict>
            \(entry("EXExtensionPointIdentifier", point))\(entry("MDRequestedDomains", domains))\
            </dict>
            \(entry("UTExportedTypeDeclarations", types))\(entry("NSBonjourServices", bonjour))\
            \(entry("MDHostSSDPSearchTargets", ssdp))\(extra)</dict></plist>
            """
    }
}

import Foundation

/// A folder of extensions that goes away with the test.
final class BundleFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "mdhost-bundles-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func folder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// Creates a bundle `name.mdext`, valid except for the change by `spoil`.
    func bundle(_ name: String, _ spoil: (BundleMaker) throws -> Void) throws {
        try folder(name + ".mdext")
        let maker = BundleMaker(path: "\(path)/\(name).mdext", name: name)
        try maker.write("#!/bin/sh\nexit 0\n", to: "program", mode: 0o755)
        try spoil(maker)
        try maker.write(maker.text, to: "Info.plist", mode: 0o644)
    }
}

/// Makes one bundle.
final class BundleMaker {
    private let path: String
    /// `identifier`, `program`, `name`, `point`.
    var plist: [String: String] {
        didSet { for (key, value) in plist { text.replace(oldValue[key] ?? "", with: value) } }
    }
    /// The property list as it is written.
    var text: String

    init(path: String, name: String) {
        self.path = path
        plist = [
            "identifier": "org.example.\(name)", "program": "program", "name": "Name of \(name)",
            "point": "com.apple.media-device-extension",
        ]
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.\(name)</string>
            <key>CFBundleExecutable</key><string>program</string>
            <key>CFBundleDisplayName</key><string>Name of \(name)</string>
            <key>EXAppExtensionAttributes</key><dict>
            <key>EXExtensionPointIdentifier</key><string>com.apple.media-device-extension</string></dict>
            <key>UTExportedTypeDeclarations</key><array><dict>
            <key>UTTypeIdentifier</key><string>org.example.sharing</string>
            <key>UTTypeConformsTo</key><array><string>public.media-sharing-protocol</string></array>
            </dict></array></dict></plist>
            """
    }

    func write(_ text: String, to name: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
    }

    func copy(_ file: String, to name: String) throws {
        try ProgramCopy.make(of: file, at: path + "/" + name)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }
}

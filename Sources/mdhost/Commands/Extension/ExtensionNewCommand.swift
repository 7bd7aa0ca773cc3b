import ArgumentParser
import Foundation
import HostInterface

struct ExtensionNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write the package of a new extension that builds, passes its tests and finds a device.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name of the devices it supports, such as Kitchen.")
    var name: String

    @Option(help: "Folder to create; by default the name, in the current folder.", completion: .directory)
    var directory: String?

    @Option(help: "The protocol's identifier, such as com.acme.kitchen.")
    var identifier: String?

    @Option(
        help: """
            Location of the SDK: a clone of mdhost, or the URL of its repository; by default, the clone in which this \
            mdhost was built.
            """)
    var sdk: String?

    func run() async throws {
        try await common.perform { output in
            let template = try ExtensionTemplate(name: name, identifier: identifier, dependency: try dependency())
            let folder = URL(filePath: directory ?? template.name).path
            try template.write(to: folder)
            if output.isJSON {
                struct Result: Encodable {
                    var path, name, identifier: String
                    var files: [String]
                }
                return try output.json(
                    Result(
                        path: folder, name: template.typeName, identifier: template.identifier,
                        files: template.files.keys.sorted()))
            }
            let shown = directory ?? template.name
            output.line("Made \(template.typeName) in \(folder). Next:\n")
            output.line("    cd \(shown.contains(" ") ? "\"\(shown)\"" : shown)")
            output.line("    swift build && swift test")
            output.line("    mdhost extension check .")
            output.line("    mdhost extension install .")
            output.line("    mdhost discover")
        }
    }

    private func dependency() throws(HostError) -> ExtensionTemplate.Dependency {
        if let sdk {
            if sdk.contains("://") || sdk.hasPrefix("git@") { return .repository(sdk) }
            let path = URL(filePath: sdk).standardizedFileURL.path
            guard SDKFolder.isSDK(path) else {
                throw HostError(
                    .invalidArgument, "\(path) is no clone of mdhost: it has no Package.swift of that name.")
            }
            return .folder(path)
        }
        guard let folder = SDKFolder.ofThisProgram else {
            throw HostError(
                .invalidArgument,
                "The sources of mdhost weren't found. Install the package mdhost-dev, or name them: --sdk FOLDER or --sdk ADDRESS."
            )
        }
        return .folder(folder)
    }
}

/// The sources of mdhost, which packages of extensions depend on.
enum SDKFolder {
    /// The folder of the Debian package `mdhost-dev`.
    private static let installed = "/usr/share/mdhost/sdk"

    /// The clone that this program was built in, else the installed sources; `nil` if there are neither.
    static var ofThisProgram: String? { clone ?? (isSDK(installed) ? installed : nil) }

    private static var clone: String? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        var folder = URL(filePath: program)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if isSDK(folder.path) { return folder.path }
        }
        return nil
    }

    static func isSDK(_ folder: String) -> Bool {
        guard let package = try? String(contentsOfFile: folder + "/Package.swift", encoding: .utf8) else {
            return false
        }
        return package.contains("name: \"mdhost\",\n    products:")
    }
}

import ArgumentParser
import Foundation
import HostExtensions
import HostInterface

struct ExtensionInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Copy an extension and its program to where mdhost finds them.",
        discussion:
            "They go to $XDG_DATA_HOME/mdhost/extensions, in place of an older copy; a daemon that runs notices.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: ExtensionPlace

    func run() async throws {
        try await common.perform { output in
            let location = try place.location()
            let manifest: ExtensionManifest
            do throws(ExtensionManifestError) {
                manifest = try ExtensionManifest.read(bundle: location.bundle, executableFolder: location.programs)
            } catch {
                let finding = ExtensionFinding(error)
                throw HostError(
                    .invalidArgument, [finding.message, finding.remedy].compactMap(\.self).joined(separator: " "))
            }
            let target = try ExtensionInstallation.install(manifest, into: try Self.folder())
            if output.isJSON {
                struct Result: Encodable { var id, path: String }
                try output.json(Result(id: manifest.identifier, path: target))
            } else {
                output.line("Installed \(DisplayText.clean(manifest.displayName)) in \(target).")
            }
            await Self.awaitNotice(of: target)
        }
    }

    private static func folder() throws(HostError) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/mdhost/extensions" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw HostError(.storageFailed, "There is no home folder: set XDG_DATA_HOME.")
        }
        return home + "/.local/share/mdhost/extensions"
    }

    /// A daemon that runs notices by itself, but not at once: the next command shall find it there.
    private static func awaitNotice(of path: String) async {
        guard var connection = try? await HostConnection(launching: false) else { return }
        connection.inputs.addDeadline(after: .seconds(3))
        waiting: while !connection.view.extensions.values.contains(where: { $0.path == path }) {
            switch try? await connection.next() {
            case .deadline, nil: break waiting
            default: break
            }
        }
        await connection.close()
    }
}

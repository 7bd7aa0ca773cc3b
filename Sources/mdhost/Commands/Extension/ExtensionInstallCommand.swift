import ArgumentParser
import Foundation
import HostClient
import HostExtensions
import HostInterface

struct ExtensionInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install an extension for this user.",
        discussion:
            "Copies it with its program to $XDG_DATA_HOME/mdhost/extensions, replacing an older copy. A running daemon picks it up."
    )

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
            let folder = try HostFolders.extensions()
            let daemon = try? await HostConnection(launching: false)
            let target: String
            do throws(HostError) {
                target = try ExtensionInstallation.install(manifest, into: folder)
            } catch {
                await daemon?.close()
                throw error
            }
            if output.isJSON {
                struct Result: Encodable { var id, path: String }
                try output.json(Result(id: manifest.identifier, path: target))
            } else {
                output.line("Installed \(DisplayText.clean(manifest.displayName)) in \(target).")
            }
            if let daemon { try await Self.putToUse(target, by: daemon) }
        }
    }

    /// Makes the daemon load the extension now. It would find it by itself, but too late for the next command.
    private static func putToUse(_ path: String, by daemon: HostConnection) async throws(HostError) {
        var daemon = daemon
        let result: Result<Void, HostError>
        do throws(HostError) {
            if let older = daemon.view.extensions.values.first(where: { $0.path == path }) {
                try await daemon.client.reloadExtension(older.objectPath)
            } else {
                try await awaitNotice(of: path, by: &daemon)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await daemon.close()
        try result.get()
    }

    private static func awaitNotice(of path: String, by daemon: inout HostConnection) async throws(HostError) {
        daemon.inputs.addDeadline(after: .seconds(3))
        while !daemon.view.extensions.values.contains(where: { $0.path == path }) {
            if case .deadline = try await daemon.next() { return }
        }
    }
}

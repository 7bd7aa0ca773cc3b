import ArgumentParser
import HostClient
import HostInterface

extension ExtensionCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the extensions and their status.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let extensions = await connection.extensionsWithUsage()
                if output.isJSON {
                    try output.json(extensions)
                } else if extensions.isEmpty {
                    output.notice("No extension is installed.")
                } else {
                    let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                    let table = ExtensionTable(extensions: extensions, now: monotonicSeconds())
                    for line in table.lines(width: width) { output.line(line) }
                }
                await connection.close()
            }
        }
    }
}

extension HostConnection {
    /// Returns all extensions with the resource usage of the running ones.
    func extensionsWithUsage() async -> [ClientExtension] {
        var extensions = view.sortedExtensions
        for index in extensions.indices where extensions[index].processID != nil {
            // An extension that ended meanwhile has no usage.
            extensions[index].usage = try? await client.usage(of: extensions[index].objectPath)
        }
        return extensions
    }
}

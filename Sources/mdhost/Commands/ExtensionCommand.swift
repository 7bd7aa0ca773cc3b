import ArgumentParser
import HostClient
import HostInterface

struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension", abstract: "Look at the extensions that know the devices, and write one.",
        subcommands: [
            List.self, ExtensionNewCommand.self, ExtensionCheckCommand.self, ExtensionInstallCommand.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List installed extensions and how they are.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let extensions = connection.view.extensions.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
                if output.isJSON {
                    try output.json(extensions)
                } else if extensions.isEmpty {
                    output.notice("No extension is installed.")
                } else {
                    show(extensions, output)
                }
                await connection.close()
            }
        }

        private func show(_ extensions: [ClientExtension], _ output: Output) {
            let rows = extensions.map { status in
                [
                    Table.Cell(DisplayText.clean(status.name), .heading), Table.Cell(DisplayText.clean(status.version)),
                    Table.Cell(DisplayText.clean(status.protocolName)),
                    Table.Cell(status.state, Self.style(status.state)),
                    Table.Cell(status.processID.map(String.init) ?? "", .dim),
                    Table.Cell(String(status.restarts), .dim),
                    Table.Cell(DisplayText.clean(status.lastError ?? ""), .bad),
                ]
            }
            let headings = ["NAME", "VERSION", "PROTOCOL", "STATE", "PROCESS", "RESTARTS", "LAST ERROR"]
            let width = Terminal.output.isInteractive ? Terminal.output.width : .max
            let table = Table(headings: headings, rows: rows)
            for line in table.lines(width: width, style: { $0($1) }) { output.line(line) }
        }

        private static func style(_ state: String) -> Style {
            switch state {
            case "running": .good
            case "idle", "disabled": .dim
            case "starting": .warning
            default: .bad
            }
        }
    }
}

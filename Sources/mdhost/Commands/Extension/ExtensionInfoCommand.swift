import ArgumentParser
import HostClient
import HostInterface

extension ExtensionCommand {
    struct Info: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Show everything about one extension.")

        @OptionGroup var common: CommonOptions

        @Argument(
            help: "Name, unique beginning of a name, or identifier of the extension.", completion: .extensionNames)
        var name: String

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                var status = try connection.extension(named: name)
                status.usage = try? await connection.client.usage(of: status.objectPath)
                if output.isJSON {
                    try output.json(status)
                } else {
                    for (key, value) in Self.rows(status, now: monotonicSeconds()) where !value.isEmpty {
                        output.line(Style.dim(DisplayText.pad(key, 12)) + DisplayText.clean(value))
                    }
                }
                await connection.close()
            }
        }

        /// Returns the rows of the table, in order; empty values are left out.
        static func rows(_ status: ClientExtension, now: Double) -> [(String, String)] {
            var process = status.processID.map(String.init) ?? ""
            if let usage = status.usage { process += ", for \(ClockTime.text(usage.runningTime))" }
            return [
                ("name", status.name), ("identifier", status.id), ("version", status.version),
                ("protocol", joined([status.protocolName, status.protocol])),
                ("folder", status.path), ("program", status.executable),
                ("state", ExtensionTable.state(status, now: now)),
                ("process", process), ("memory", status.usage.map(memory) ?? ""),
                ("processor", status.usage.map { ExtensionTable.processorTime($0.processorTime) } ?? ""),
                ("launches", status.generation == 0 ? "" : "\(status.generation), \(status.restarts) after a crash"),
                ("finds by", joined(status.bonjourServices + status.ssdpSearchTargets)),
                ("announces", joined(status.announcedServices)),
                ("reaches", joined(status.requestedDomains)), ("can", joined(status.capabilities)),
                ("confined in", joined(status.confinement)),
                ("built with", status.sdkVersion.map { "SDK \($0)" } ?? ""), ("last error", status.lastError ?? ""),
                ("last exit", status.lastExit ?? ""),
            ]
        }

        private static func joined(_ values: [String]) -> String {
            values.filter { !$0.isEmpty }.joined(separator: ", ")
        }

        private static func memory(_ usage: ClientExtension.Usage) -> String {
            let all = ExtensionTable.megabytes(usage.memory)
            return usage.proportionalMemory.map { "\(ExtensionTable.megabytes($0)), \(all) with what it shares" } ?? all
        }
    }
}

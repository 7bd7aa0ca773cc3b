import ArgumentParser
import HostClient
import HostInterface

extension SinkCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a device from the desktop's sound settings.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
        var device: String?

        @Flag(help: "Remove all sinks, and add no more for new devices.")
        var all = false

        func validate() throws {
            guard (device != nil) != all else { throw ValidationError("Name a device, or use --all.") }
        }

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                // A device that is away has a sink all the same.
                let sinks = try await connection.client.sinks()
                if let device {
                    try await remove(try await Self.sink(device, in: sinks, &connection), connection, output)
                } else {
                    let follows = connection.view.manager?.sinksFollowDevices == true
                    if follows { try await connection.client.setSinksFollowDevices(false) }
                    // One that was added until then is removed as well.
                    for sink in try await connection.client.sinks() { try await remove(sink, connection, output) }
                    if follows {
                        output.notice("New devices no longer get sinks.")
                    } else if sinks.isEmpty {
                        output.notice("No device has a sink.")
                    }
                }
                await connection.close()
            }
        }

        private static func sink(
            _ device: String, in sinks: [SoundSinkStatus], _ connection: inout HostConnection
        ) async throws -> SoundSinkStatus {
            if let named = SinkTable.named(device, in: sinks) { return named }
            let found = try await connection.device(named: device)
            guard let sink = sinks.first(where: { $0.id == found.id }) else {
                throw HostError(.noSuchSink, "\(found.name) has no sink.")
            }
            return sink
        }

        private func remove(_ sink: SoundSinkStatus, _ connection: HostConnection, _ output: Output) async throws {
            do {
                try await connection.client.removeSink(HostNames.devicePath(sink.id))
            } catch {
                // Somebody else was faster.
                guard all, error.code == .noSuchSink else { throw error }
                return
            }
            if output.isJSON {
                struct Result: Encodable { var device: String, removed: Bool }
                try output.json(Result(device: sink.id, removed: true))
            } else {
                output.line(DisplayText.clean("Removed the sink for \(sink.name)."))
            }
        }
    }
}

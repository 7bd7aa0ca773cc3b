import ArgumentParser
import HostClient
import HostInterface

extension SinkCommand {
    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "follow", abstract: "Give every device that is found a sink, now and later.",
            discussion: """
                Devices that play sound get a sink as soon as they are found, 32 at most. The setting is kept over \
                restarts. A device whose sink you remove gets none again. Bluetooth speakers get one once they are paired.
                """)

        @OptionGroup var common: CommonOptions

        @Flag(help: "Add no more sinks for new devices; the existing ones stay.")
        var off = false

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                try await connection.client.setSinksFollowDevices(!off)
                if output.isJSON {
                    struct Result: Encodable { var following: Bool }
                    try output.json(Result(following: !off))
                } else if off {
                    output.line("New devices no longer get sinks. To remove all sinks: mdhost sink remove --all")
                } else {
                    output.line("Every device that is found gets a sink. To list them: mdhost sink list")
                }
                await connection.close()
            }
        }
    }
}

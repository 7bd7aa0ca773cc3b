import ArgumentParser
import HostClient
import HostInterface

struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Pair with a device that asks for a code or password.",
        discussion: "Without a terminal the code is read from standard input: echo 1234 | mdhost pair \"Living Room\".")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Option(help: "Protocol to pair for when the device supports several, such as MPD.")
    var via: String?

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            try await connection.settle { [client = connection.client, path = device.path, via] () throws(HostError) in
                try await client.pair(path, via: via)
            }
            if output.isJSON {
                struct Result: Encodable { var device: String, paired: Bool }
                try output.json(Result(device: device.id, paired: true))
            } else {
                let name = DisplayText.clean(device.name)
                // Bluetooth devices may pair without a question.
                let isPaired =
                    connection.hasAsked || device.isPaired || connection.view.devices[device.id]?.isPaired == true
                    || device.endpoints.contains { $0.hasPrefix("bluetooth:") }
                output.line(isPaired ? "Paired with \(name)." : "\(name) needs no pairing.")
            }
            await connection.close()
        }
    }
}

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a device and its stored code.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            try await connection.client.forget(device.path)
            if output.isJSON {
                struct Result: Encodable { var device: String, forgotten: Bool }
                try output.json(Result(device: device.id, forgotten: true))
            } else {
                output.line("Forgot \(DisplayText.clean(device.name)).")
            }
            await connection.close()
        }
    }
}

extension CompletionKind {
    /// The names of the devices the daemon knows.
    static var deviceNames: CompletionKind {
        .shellCommand("mdhost devices --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\"' | cut -d'\"' -f4")
    }
}

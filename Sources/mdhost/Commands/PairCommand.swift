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

    @Option(help: .init("Protocol to pair for when the device supports several, such as MPD.", valueName: "protocol"))
    var via: String?

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device, via: via)
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
        commandName: "forget", abstract: "Forget a device and its stored code.",
        discussion: """
            Removes its code or password, and the device itself from the list until it is found again. A device that is \
            neither paired nor only remembered has nothing to forget.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            let isKept = Self.isKept(device)
            // Without anything to forget it would only be interrupted.
            if isKept || device.activation == "idle" { try await connection.client.forget(device.path) }
            let name = DisplayText.clean(device.name)
            if output.isJSON {
                struct Result: Encodable { var device: String, forgotten: Bool }
                try output.json(Result(device: device.id, forgotten: isKept))
            } else {
                output.line(isKept ? "Forgot \(name)." : "There is nothing to forget: \(name) isn't paired.")
            }
            await connection.close()
        }
    }
}

extension ForgetCommand {
    /// Returns a Boolean value that indicates whether something is stored that a person would miss: a pairing, or the device
    /// itself while it doesn't answer.
    private static func isKept(_ device: ClientDevice) -> Bool {
        device.isPaired || device.parts.contains(where: \.isPaired) || device.availability != "ready"
    }
}

extension CompletionKind {
    /// The names of the devices the daemon knows.
    static var deviceNames: CompletionKind {
        .shellCommand("mdhost devices --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\"' | cut -d'\"' -f4")
    }
}

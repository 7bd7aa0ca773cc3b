import ArgumentParser
import Foundation
import HostClient
import HostInterface
import PushOptions

struct PushJoin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Receive pushes from gateways elsewhere over an MQTT broker.",
        discussion: """
            The daemon stays and keeps the connection from now on; what comes while it is away waits at the broker. \
            Without --password-file and --certificate the password is asked for, or read from standard input.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The broker, with the name it knows this computer by: mqtts://name@host:8883.")
    var broker: String

    @OptionGroup var options: BrokerOptions

    func run() async throws {
        try await common.perform { output in
            var settings = try options.settings(broker)
            if settings.password == nil, settings.certificate == nil {
                let challenge = PairingChallenge(method: .password, reason: "")
                settings.password = try await CodePrompt(name: broker, challenge: challenge).ask()
            }
            let connection = try await HostConnection()
            try await connection.client.join(settings)
            let status = try await connection.client.brokerStatus()
            if output.isJSON { try output.json(status) } else { output.notice("Joined \(status.address).") }
            await connection.close()
        }
    }
}

struct PushLeave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave the broker and revoke its tokens.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { _ in
            let connection = try await HostConnection()
            try await connection.client.leaveBroker()
            await connection.close()
        }
    }
}

struct PushStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the broker and the state of the connection.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let status = try await connection.client.brokerStatus()
            if output.isJSON {
                try output.json(status)
            } else {
                output.line(Self.text(status))
            }
            await connection.close()
        }
    }

    static func text(_ status: BrokerStatus) -> String {
        let address = DisplayText.clean(status.address)
        return switch status.state {
        case .none: "No broker: only a gateway on this computer delivers here."
        case .connecting: "Connecting to \(address)."
        case .connected: "Pushes come over \(address)."
        case .failed: "\(address) cannot be used and is tried again: \(DisplayText.clean(status.reason))"
        }
    }
}

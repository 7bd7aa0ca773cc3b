import ArgumentParser
import Descriptors
import Foundation
import HostClient
import HostInterface
import Logging
import MQTT
import PushGateway

struct PushServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive pushes from servers for this computer or, with --broker, for others.",
        discussion: """
            Runs until interrupted, and listens on this computer alone unless told otherwise. The first run makes a key for the server and a \
            certificate authority; both stay. What it refuses, and what could not be applied, is in what it prints.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: "Numeric address to listen on; 0.0.0.0 for all.")
    var address = "127.0.0.1"

    @Option(help: "TCP port; 0 lets the system choose.")
    var port = 2197

    @Option(
        parsing: .upToNextOption,
        help: "Further names and addresses servers reach it by; the certificate is made out to them.")
    var name: [String] = []

    @Option(help: "Deliver over this MQTT broker to the computers that joined it: mqtts://name@host:8883.")
    var broker: String?

    @OptionGroup(title: "The broker") var options: BrokerOptions

    @Option(help: "Folder of the keys and the authority; several gateways may have copies of one.")
    var folder: String?

    func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("A port is 0 to 65535.") }
    }

    func run() async throws {
        DescriptorReserve.raiseLimit()
        ProcessSecrets.protect()
        try await common.perform { output in
            let folder =
                try folder.map { path throws(HostError) in try PushCommand.prepare(path) } ?? PushCommand.folder()
            let keys = GatewayKeys(folder: folder)
            let first = try keys.all().first
            let key = if let first { first } else { try keys.make(now: PushCommand.now) }
            let certificates = GatewayCertificates(folder: folder)
            let logger = Logger(label: "mdhost.push") { StreamLogHandler.standardError(label: $0) }
            let names = names
            let tls = try GatewayTLS(
                make: { now throws(HostError) in try certificates.serverConfiguration(names: names, now: now) },
                logger: logger)
            let delivery = try await delivery(logger)
            let gateway = Gateway(
                delivery: delivery, keys: { () throws(HostError) in try keys.all() }, logger: logger)
            let server = try await GatewayServer(gateway, address: address, port: port, tls: tls, logger: logger)
            try show(server, certificates, key, keys, output)
            let inputs = CommandInputs()
            inputs.addSignals()
            for await input in inputs.stream {
                if case .interrupted = input { break }
            }
            await server.close()
            await delivery.close()
        }
    }

    private func delivery(_ logger: Logger) async throws(HostError) -> any PushDelivery {
        guard let broker else { return HostDelivery(logger: logger) }
        let delivery = BrokerDelivery(try MQTTSettings(gateway: options.settings(broker)), logger: logger)
        try await delivery.start()
        return delivery
    }

    private var names: [String] {
        let own = ["localhost", "127.0.0.1", "::1", ProcessInfo.processInfo.hostName]
        let address = address == "0.0.0.0" || address == "::" ? [] : [address]
        return (own + address + name).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    private func show(
        _ server: GatewayServer, _ certificates: GatewayCertificates, _ key: ProviderKey, _ keys: GatewayKeys,
        _ output: Output
    ) throws {
        let host = server.address.contains(":") ? "[\(server.address)]" : server.address
        let url = "https://\(host):\(server.port)"
        if output.isJSON {
            struct Result: Encodable {
                var url: String, authority: String, keyID: String, teamID: String, keyFile: String
            }
            return try output.json(
                Result(
                    url: url, authority: certificates.authorityPath, keyID: key.id, teamID: key.team,
                    keyFile: keys.privateKeyPath(key.id)))
        }
        output.line("Taking pushes at \(url) until Ctrl-C.")
        output.line("  have the server trust  \(certificates.authorityPath)")
        output.line("  and sign with          \(keys.privateKeyPath(key.id))")
        output.line("                         key ID \(key.id), team ID \(key.team)")
    }
}

import ArgumentParser
import Descriptors
import Foundation
import HostClient
import HostInterface
import Logging
import MQTT
import PushGateway
import PushOptions
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = GatewayOptions.configuration

    @OptionGroup var output: OutputOptions
    @OptionGroup var options: GatewayOptions

    func run() async throws {
        DescriptorReserve.raiseLimit()
        ProcessSecrets.protect()
        try await output.perform {
            let folder = try PushGatewayProgram.folder(options.folder)
            let keys = GatewayKeys(folder: folder)
            let first = try keys.all().first
            let key = if let first { first } else { try keys.make(now: PushGatewayProgram.now) }
            let certificates = GatewayCertificates(folder: folder)
            let logger = Logger(label: "mdhost.push") { StreamLogHandler.standardError(label: $0) }
            let names = names
            let tls = try GatewayTLS(
                make: { now throws(HostError) in try certificates.serverConfiguration(names: names, now: now) },
                logger: logger)
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let delivery = try await delivery(logger)
            let gateway = Gateway(
                delivery: delivery, keys: { () throws(HostError) in try keys.all() }, logger: logger)
            let server = try await GatewayServer(
                gateway, address: options.address, port: options.port, tls: tls, logger: logger)
            try show(server, certificates, key, keys)
            for await _ in signals { break }
            await server.close()
            await delivery.close()
        }
    }

    private func delivery(_ logger: Logger) async throws(HostError) -> any PushDelivery {
        guard let broker = options.broker else { return HostDelivery(logger: logger) }
        let delivery = BrokerDelivery(try MQTTSettings(gateway: options.options.settings(broker)), logger: logger)
        try await delivery.start()
        return delivery
    }

    private var names: [String] {
        let own = ["localhost", "127.0.0.1", "::1", ProcessInfo.processInfo.hostName]
        let address = options.address
        return (own + (address == "0.0.0.0" || address == "::" ? [] : [address]) + options.name)
            .reduce(into: []) { names, name in
                if !names.contains(name) { names.append(name) }
            }
    }

    private func show(
        _ server: GatewayServer, _ certificates: GatewayCertificates, _ key: ProviderKey, _ keys: GatewayKeys
    ) throws {
        let host = server.address.contains(":") ? "[\(server.address)]" : server.address
        let url = "https://\(host):\(server.port)"
        if output.json {
            struct Result: Encodable {
                var url: String, authority: String, keyID: String, teamID: String, keyFile: String
            }
            return try output.print(
                json: Result(
                    url: url, authority: certificates.authorityPath, keyID: key.id, teamID: key.team,
                    keyFile: keys.privateKeyPath(key.id)))
        }
        try output.print("Taking pushes at \(url) until Ctrl-C.")
        try output.print("  have the server trust  \(certificates.authorityPath)")
        try output.print("  and sign with          \(keys.privateKeyPath(key.id))")
        try output.print("                         key ID \(key.id), team ID \(key.team)")
    }
}

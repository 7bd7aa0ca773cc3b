import Crypto
import Foundation
import HostBroker
import HostInterface
import Logging
import MQTT
import PushGateway

/// The input of the program, as JSON in the file that is its only argument.
struct Plan: Decodable {
    /// The port of the broker, without TLS on loopback; it knows `host-0`… and `probe`, all with this password.
    var broker: Int
    var password: String
    /// Ports of the gateways, and the settings a server needs for them.
    var gateways: [Int]
    var authority: String
    var keyFile: String
    var keyID: String
    var teamID: String
    var hosts: Int
    var tokens: Int
    var hot: Int
    /// Pushes a second, for so many seconds.
    var rate: Double
    var seconds: Double
    var probeRate: Double
    /// The initial seconds without activity.
    var quiet: Double
}

/// A server that pushes to many sessions over gateways, and the hosts that receive the pushes; prints the results, a
/// line of JSON each.
@main struct PushLoad {
    static func main() async throws {
        let plan = try JSONDecoder().decode(
            Plan.self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        let sessions = Sessions(count: plan.tokens, hosts: plan.hosts)
        let ledger = Ledger()
        let begun = Clock.seconds
        let links = try await join(plan, sessions, ledger)
        try say(Registered(tokens: plan.tokens, seconds: Clock.seconds - begun))

        let key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: plan.keyFile, encoding: .utf8))
        let authorization = try ProviderToken.sign(
            keyIdentifier: plan.keyID, teamIdentifier: plan.teamID, issuedAt: Int64(Date().timeIntervalSince1970),
            with: key)
        let traffic = Traffic(
            sessions: sessions, hot: plan.hot,
            providers: try plan.gateways.map { try Provider(port: $0, authority: plan.authority) },
            authorization: "bearer " + authorization, ledger: ledger)
        let begin = Clock.seconds + 0.5
        try say(["event": "begun"])
        let probe = Probe(settings: settings(plan, "probe"), rate: plan.probeRate, ledger: ledger)
        async let probing: Void = probe.run(from: begin, until: begin + plan.seconds)
        await traffic.run(count: Int(plan.rate * plan.seconds), rate: plan.rate, from: begin)
        await probing
        let patience = Clock.seconds + 60
        while !ledger.isComplete, Clock.seconds < patience { try await Task.sleep(for: .milliseconds(50)) }
        try say(ledger.result(quiet: begin + 2...begin + plan.quiet))
        for link in links { await link.close() }
    }

    /// Returns when the broker knows every token.
    private static func join(_ plan: Plan, _ sessions: Sessions, _ ledger: Ledger) async throws -> [BrokerLink] {
        var links: [BrokerLink] = []
        for number in 0..<plan.hosts {
            let host = LoadHost(number, sessions, ledger)
            let link = BrokerLink(
                receiver: host, store: host, logger: Logger(label: "host") { _ in SwiftLogNoOpLogHandler() })
            try await link.join(
                BrokerSettings(
                    address: settings(plan, "host-\(number)").address.description, password: plan.password))
            links.append(link)
        }
        for link in links {
            while await link.status.state != .connected { try await Task.sleep(for: .milliseconds(20)) }
        }
        return links
    }

    private static func settings(_ plan: Plan, _ user: String) -> MQTTSettings {
        guard let address = MQTTAddress("mqtt://\(user)@127.0.0.1:\(plan.broker)") else { fatalError("no port") }
        var settings = MQTTSettings(address: address, clientIdentifier: user)
        settings.password = plan.password
        return settings
    }

    private struct Registered: Encodable {
        var event = "registered"
        var tokens: Int
        var seconds: Double
    }

    private static func say(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
    }
}

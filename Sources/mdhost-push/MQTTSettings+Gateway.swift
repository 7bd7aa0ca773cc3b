import HostInterface
import MQTT

extension MQTTSettings {
    /// For a gateway: what came while it was away is nothing to it.
    ///
    /// - Throws: ``HostError`` `invalid-argument`.
    init(gateway settings: BrokerSettings) throws(HostError) {
        guard let address = MQTTAddress(settings.address) else {
            throw HostError(.invalidArgument, "“\(settings.address)” is no broker.")
        }
        let name = (0..<12).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" }
        self.init(address: address, clientIdentifier: "mdhost-gateway-" + String(name))
        password = settings.password
        (authority, certificate, key) = (settings.authority, settings.certificate, settings.key)
        keepAlive = 10
    }
}

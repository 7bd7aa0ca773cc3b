/// The settings of the broker for pushes to gateways on other computers.
package struct BrokerSettings: Codable, Sendable, Hashable {
    /// The address, `mqtts://name@host:port`.
    package var address: String
    package var password: String?
    /// The paths of PEM files: the trusted authorities, and the certificate and key of the host.
    package var authority: String?
    package var certificate: String?
    package var key: String?

    package init(
        address: String, password: String? = nil, authority: String? = nil, certificate: String? = nil,
        key: String? = nil
    ) {
        self.address = address
        self.password = password
        self.authority = authority
        self.certificate = certificate
        self.key = key
    }
}

/// The status of the connection to the broker.
package struct BrokerStatus: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable, Hashable {
        /// The host hasn't joined a broker.
        case none
        case connecting
        case connected
        /// The connection failed and is retried.
        case failed
    }

    package var state: State
    /// The address; empty for ``State/none``.
    package var address: String
    /// The reason of the failure as one sentence.
    package var reason: String

    package init(_ state: State = .none, address: String = "", reason: String = "") {
        self.state = state
        self.address = address
        self.reason = reason
    }
}

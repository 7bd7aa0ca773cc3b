/// How a host gets pushes that come to gateways elsewhere.
package struct BrokerSettings: Codable, Sendable, Hashable {
    /// `mqtts://name@host:port`.
    package var address: String
    package var password: String?
    /// Paths of PEM files: the authorities to believe, and by which the host shows who it is.
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

/// Whether it gets them now.
package struct BrokerStatus: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable, Hashable {
        /// No broker was joined.
        case none
        case connecting
        case connected
        /// It is tried again and again.
        case failed
    }

    package var state: State
    /// Empty for ``State/none``.
    package var address: String
    /// Why it failed: one sentence.
    package var reason: String

    package init(_ state: State = .none, address: String = "", reason: String = "") {
        self.state = state
        self.address = address
        self.reason = reason
    }
}

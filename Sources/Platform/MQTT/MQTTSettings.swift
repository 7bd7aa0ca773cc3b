/// The settings of a connection to a broker.
package struct MQTTSettings: Sendable, Hashable {
    package var address: MQTTAddress
    package var password: String?
    /// PEM file of the authorities to believe; `nil`: those of the system.
    package var authority: String?
    /// PEM file of the client certificate.
    package var certificate: String?
    package var key: String?
    package var clientIdentifier: String
    /// Seconds for which the broker keeps subscriptions and messages while the client is away; 0 keeps none.
    package var sessionExpiry: UInt32 = 0
    /// A Boolean value that indicates whether the broker discards a kept session.
    package var beginsAnew = true
    /// A Boolean value that indicates whether each message waits for ``MQTTConnection/acknowledge()``; otherwise
    /// reading a message acknowledges it.
    package var acknowledgesByHand = false
    /// Seconds without traffic after which the broker is asked whether it is there; at least 5.
    package var keepAlive: Int32 = 30

    package init(address: MQTTAddress, clientIdentifier: String) {
        self.address = address
        self.clientIdentifier = clientIdentifier
    }
}

/// A message that a broker delivered.
package struct MQTTMessage: Sendable, Hashable {
    package var topic: String
    package var payload: [UInt8]
    /// A Boolean value that indicates whether the message was published before the subscription.
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}

/// A message to be published.
package struct MQTTPublication: Sendable, Hashable {
    package var topic: String
    /// An empty retained payload removes the retained message.
    package var payload: [UInt8]
    package var isRetained: Bool
    /// Seconds after which the broker forgets it; `nil`: never.
    package var expiry: UInt32?

    package init(topic: String, payload: [UInt8], isRetained: Bool = false, expiry: UInt32? = nil) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
    }
}

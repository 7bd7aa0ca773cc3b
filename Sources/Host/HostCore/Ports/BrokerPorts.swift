package import HostInterface

/// The broker over which pushes come from elsewhere.
package protocol BrokerControl: Sendable {
    var status: BrokerStatus { get async }
    /// Joins a broker, also after restarts.
    ///
    /// - Throws: ``HostError`` if it can't be used. Nothing changes then.
    func join(_ settings: BrokerSettings) async throws(HostError)
    /// Revokes the tokens at the broker and leaves it; no effect without a broker.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    func leave() async throws(HostError)
}

/// The storage of the joined broker.
package protocol BrokerStore: Sendable {
    func brokerSettings() async throws -> BrokerSettings?
    /// Durable when it returns; `nil`: none.
    func keep(_ settings: BrokerSettings?) async throws
}

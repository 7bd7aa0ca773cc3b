import HostInterface

/// The broker over which pushes come from elsewhere.
package protocol BrokerControl: Sendable {
    var status: BrokerStatus { get async }
    /// Goes there from now on, also after a restart.
    ///
    /// - Throws: ``HostError`` where it cannot be used as it is: then everything stays as it was.
    func join(_ settings: BrokerSettings) async throws(HostError)
    /// Tells it that the tokens are over, and goes there no more; nothing happens where none was joined.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    func leave() async throws(HostError)
}

/// Which broker was joined, kept over restarts.
package protocol BrokerStore: Sendable {
    func brokerSettings() async throws -> BrokerSettings?
    /// Durable when it returns; `nil`: none.
    func keep(_ settings: BrokerSettings?) async throws
}

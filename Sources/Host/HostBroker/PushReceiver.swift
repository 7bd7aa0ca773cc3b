public import HostCore
package import PushInterface

/// The issuer of tokens, which receives the pushes to them.
package protocol PushReceiver: Sendable {
    /// Returns the registrations of all tokens, by ``BrokerTopic/hash(of:)``.
    func registrations() async -> [String: PushRegistration]
    /// Returns a stream that yields at once, and whenever the registrations change. Only the last stream is active.
    func tokenChanges() async -> AsyncStream<Void>
    /// Processes a push. After the call it is stored or rejected for good.
    ///
    /// - Returns: `true` if its session continues, so that the last state is still needed.
    /// - Throws: An error if the push has to be delivered again.
    func take(_ push: BrokeredPush, token hash: String) async throws -> Bool
}

extension RemoteSessions: PushReceiver {}

import HostCore
import PushInterface

/// Who gave tokens away and takes what is pushed to them.
package protocol PushReceiver: Sendable {
    /// What every token stands for, by ``BrokerTopic/hash(of:)``.
    func registrations() async -> [String: PushRegistration]
    /// Yields at once and whenever that has changed; for one reader, until the next one asks.
    func tokenChanges() async -> AsyncStream<Void>
    /// Takes a push; it is kept when this returns, or will never be.
    ///
    /// - Returns: Whether its session goes on, so that the last state is of use.
    /// - Throws: Where it has to come again.
    func take(_ push: BrokeredPush, token hash: String) async throws -> Bool
}

extension RemoteSessions: PushReceiver {}

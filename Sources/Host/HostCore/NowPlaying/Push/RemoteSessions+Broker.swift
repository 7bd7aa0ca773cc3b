import Foundation
import HostInterface
import PushInterface

/// Pushes that come by a broker, which had answered the server before.
extension RemoteSessions {
    /// What every token stands for, by ``BrokerTopic/hash(of:)``.
    package func registrations() -> [String: PushRegistration] {
        Dictionary(
            tokens.all.map { token in
                var session: String?
                if case .session(let number) = token.purpose {
                    session = BrokerTopic.key(ofSession: records[number]?.session ?? "")
                }
                return (
                    BrokerTopic.hash(of: token.value),
                    PushRegistration(application: token.application, session: session, retired: token.retired)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes a push to a token of this hash; it is kept when this returns, or will never be.
    ///
    /// - Returns: Whether the session is there, so that a broker should keep its last state.
    /// - Throws: ``HostError`` `storage-failed`: it has to come again.
    package func take(_ push: BrokeredPush, token hash: String) async throws -> Bool {
        guard let token = tokens.all.first(where: { BrokerTopic.hash(of: $0.value) == hash }) else { return false }
        let outcome: PushOutcome
        do {
            outcome = try await self.push(
                to: token.value, topic: push.topic, identifier: push.identifier, payload: Data(push.payload))
        } catch let error as HostError where error.code == .noSuchExtension {
            note(push.identifier, token.application, error.message)
            // Its app may be installed again.
            return true
        }
        switch outcome {
        case .accepted, .superseded:
            guard let content = try? PushPayload(Data(push.payload)) else { return false }
            return record(content.session, token.application) != nil
        case .badToken, .unregistered, .wrongTopic, .badPayload: return false
        }
    }
}

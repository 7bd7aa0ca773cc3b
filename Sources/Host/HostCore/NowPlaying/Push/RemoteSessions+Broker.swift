import Foundation
import HostInterface
package import PushInterface

/// Pushes that come by a broker, which had answered the server before.
extension RemoteSessions {
    /// Returns the registrations of all tokens, by ``BrokerTopic/hash(of:)``.
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

    /// Processes a push to the token with a hash. After the call it is stored or rejected for good.
    ///
    /// - Returns: `true` if the session exists, so that a broker should keep its last state.
    /// - Throws: ``HostError`` `storage-failed` if the push has to be delivered again.
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

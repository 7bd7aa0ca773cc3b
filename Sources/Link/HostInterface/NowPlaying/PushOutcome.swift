/// What became of a push at the daemon.
package enum PushOutcome: Sendable, Hashable {
    /// It is kept and will be applied, also after a restart.
    case accepted
    /// A newer one was there before: nothing changes.
    case superseded
    /// Nobody was ever given that token.
    case badToken
    /// The token was replaced, or its session is over: seconds since 1970.
    case unregistered(since: Int64)
    /// The topic is another app's.
    case wrongTopic
    /// What is wrong with the payload: one sentence.
    case badPayload(String)

    /// As it crosses the bus.
    package var word: String {
        switch self {
        case .accepted: "accepted"
        case .superseded: "superseded"
        case .badToken: "bad-token"
        case .unregistered: "unregistered"
        case .wrongTopic: "wrong-topic"
        case .badPayload: "bad-payload"
        }
    }

    /// The reverse of ``word``; `nil` for a word that is none.
    package init?(_ word: String, since: Int64, reason: String) {
        switch word {
        case "accepted": self = .accepted
        case "superseded": self = .superseded
        case "bad-token": self = .badToken
        case "unregistered": self = .unregistered(since: since)
        case "wrong-topic": self = .wrongTopic
        case "bad-payload": self = .badPayload(reason)
        default: return nil
        }
    }
}

/// A push that was accepted and could not be applied.
package struct PushFailure: Codable, Sendable, Hashable {
    /// Seconds since 1970.
    package var time: Double
    /// `apns-id` of the request.
    package var identifier: String
    package var application: String
    package var message: String

    package init(time: Double, identifier: String, application: String, message: String) {
        self.time = time
        self.identifier = identifier
        self.application = application
        self.message = message
    }
}

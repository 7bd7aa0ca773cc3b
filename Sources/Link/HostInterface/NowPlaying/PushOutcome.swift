/// The daemon's answer to a push.
package enum PushOutcome: Sendable, Hashable {
    /// The push is stored and will be applied, also after a restart.
    case accepted
    /// A newer push was stored before. Nothing changes.
    case superseded
    /// The token was never issued.
    case badToken
    /// The token was replaced, or its session has ended, at a time in seconds since 1970.
    case unregistered(since: Int64)
    /// The topic belongs to another app.
    case wrongTopic
    /// The payload is invalid; the text is the reason as one sentence.
    case badPayload(String)

    /// The value on D-Bus.
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

    /// Creates an outcome from its value on D-Bus; `nil` for an unknown one.
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

/// A push that was accepted but couldn't be applied.
package struct PushFailure: Codable, Sendable, Hashable {
    /// The time in seconds since 1970.
    package var time: Double
    /// The `apns-id` of the request.
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

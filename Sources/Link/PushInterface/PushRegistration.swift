import Foundation

/// A host's registration of a token it issued: the retained message at ``BrokerTopic/registration(token:host:)``, as
/// JSON.
package struct PushRegistration: Codable, Sendable, Hashable {
    /// The greatest size in bytes.
    package static let limit = 1024
    /// The seconds for which a broker stores a valid token, unless the host renews it, and a retired one.
    package static let (expiry, retiredExpiry): (UInt32, UInt32) = (180 * 86_400, 30 * 86_400)

    /// The identifier of the app.
    package let application: String
    /// The ``BrokerTopic/key(ofSession:)`` of the token's session; `nil` if the token starts sessions.
    package let session: String?
    /// The time at which the token was replaced or its session ended, in seconds since 1970; `nil` for a valid token.
    package let retired: Int64?

    package init(application: String, session: String?, retired: Int64? = nil) {
        self.application = application
        self.session = session
        self.retired = retired
    }

    /// Parses a message; `nil` if it isn't a registration.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.limit,
            let registration = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            1...255 ~= registration.application.utf8.count, registration.session?.utf8.count ?? 32 == 32,
            registration.retired ?? 0 >= 0
        else { return nil }
        self = registration
    }

    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and numbers can always be written.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// The required `apns-topic`.
    package var topic: String { Self.topic(of: application) }

    package static func topic(of application: String) -> String { application + ".push-type.nowplaying" }

    /// Returns the reason why a push can't use this token, as one sentence; `nil` if it can.
    package func objection(to payload: PushPayload) -> String? {
        switch (session, payload.event) {
        case (nil, .start): nil
        case (nil, _): "Only start goes to this token; a session has its own."
        case (_, .start): "Only update and end go to this token."
        case (let key?, _):
            key == BrokerTopic.key(ofSession: payload.session)
                ? nil : "“aps.attributes.id” is not that of the session this token was given for."
        }
    }
}

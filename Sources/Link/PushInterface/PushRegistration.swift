import Foundation

/// What a host says of a token it gave away: the retained message at ``BrokerTopic/registration(token:host:)``, as JSON.
package struct PushRegistration: Codable, Sendable, Hashable {
    /// The greatest size in bytes.
    package static let limit = 1024
    /// How long a broker remembers a token that holds, unless the host says so again, and one that does not: seconds.
    package static let (expiry, retiredExpiry): (UInt32, UInt32) = (180 * 86_400, 30 * 86_400)

    /// Identifier of the app.
    package let application: String
    /// ``BrokerTopic/key(ofSession:)`` where it is one session's; `nil`: it starts sessions.
    package let session: String?
    /// When it was replaced or its session ended: seconds since 1970; `nil` while it holds.
    package let retired: Int64?

    package init(application: String, session: String?, retired: Int64? = nil) {
        self.application = application
        self.session = session
        self.retired = retired
    }

    /// What a broker delivered.
    ///
    /// - Returns: `nil` for anything that is none.
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

    /// What servers must give as `apns-topic`.
    package var topic: String { Self.topic(of: application) }

    package static func topic(of application: String) -> String { application + ".push-type.nowplaying" }

    /// Why this push cannot go to this token: one sentence; `nil` where it can.
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

/// A push on its way from a gateway to a host: the message at ``BrokerTopic/push(host:token:session:)``.
///
/// It consists of the `apns-id`, a space, the `apns-topic`, a line feed, and the payload as the server sent it.
package struct BrokeredPush: Sendable, Hashable {
    /// The seconds for which a broker stores a push for a host that is away.
    package static let expiry: UInt32 = 30 * 86_400
    private static let (identifierLimit, topicLimit) = (64, 255)

    /// The `apns-id`.
    package let identifier: String
    /// The `apns-topic`.
    package let topic: String
    package let payload: [UInt8]

    package init(identifier: String, topic: String, payload: [UInt8]) {
        self.identifier = identifier
        self.topic = topic
        self.payload = payload
    }

    /// Parses a message; `nil` if it isn't a push.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= PushPayload.limit + Self.identifierLimit + Self.topicLimit + 2,
            let end = bytes.firstIndex(of: 0x0A)
        else { return nil }
        let words = bytes[..<end].split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, 1...Self.identifierLimit ~= words[0].count, 1...Self.topicLimit ~= words[1].count,
            words.allSatisfy({ $0.allSatisfy { 0x21...0x7E ~= $0 } })
        else { return nil }
        identifier = String(decoding: words[0], as: UTF8.self)
        topic = String(decoding: words[1], as: UTF8.self)
        payload = Array(bytes[(end + 1)...])
        guard payload.count <= PushPayload.limit else { return nil }
    }

    package var bytes: [UInt8] { Array("\(identifier) \(topic)\n".utf8) + payload }
}

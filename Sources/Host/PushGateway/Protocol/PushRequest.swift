import Foundation

/// A request to send one push, checked; a value without I/O.
///
/// Source: "Sending notification requests to APNs" and "Handling notification responses from APNs", Apple.
package struct PushRequest: Sendable, Hashable {
    /// The greatest payload in bytes.
    package static let payloadLimit = 4096

    package let token: [UInt8]
    package let topic: String
    /// `apns-id`, lower case; made where the sender gave none.
    package let identifier: String
    /// Seconds since 1970 after which it is not to be delivered any more; 0: now or never; `nil`: the sender does not care.
    package let expiration: Int64?
    package let payload: [UInt8]
    /// The provider's token as it was sent.
    package let authorization: String

    /// - Parameters:
    ///   - fields: Header fields, names in lower case; of equal ones the first.
    ///   - payload: At most one byte more than ``payloadLimit``.
    /// - Throws: ``PushRejection`` as the service this is modelled on answers.
    package init(method: String, path: String, fields: [String: String], payload: [UInt8]) throws(PushRejection) {
        guard method == "POST" else { throw .methodNotAllowed }
        let prefix = "/3/device/"
        guard path.hasPrefix(prefix) else { throw .badPath }
        let hexadecimal = path.dropFirst(prefix.count)
        guard !hexadecimal.isEmpty else { throw .missingDeviceToken }
        guard let token = Self.bytes(hexadecimal) else { throw .badDeviceToken }
        identifier = try Self.identifier(fields["apns-id"])
        guard let authorization = fields["authorization"] else { throw .missingProviderToken }
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .invalidProviderToken }
        self.authorization = String(words[1])
        guard fields["apns-push-type"] == "nowplaying" else { throw .invalidPushType }
        guard let topic = fields["apns-topic"], !topic.isEmpty else { throw .missingTopic }
        guard topic.utf8.count <= 255, topic.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badTopic }
        if let text = fields["apns-expiration"] {
            guard let seconds = Int64(text), seconds >= 0 else { throw .badExpirationDate }
            expiration = seconds
        } else {
            expiration = nil
        }
        guard fields["apns-priority"].map({ ["1", "5", "10"].contains($0) }) != false else { throw .badPriority }
        guard fields["apns-collapse-id"].map({ 1...64 ~= $0.utf8.count }) != false else { throw .badCollapseID }
        guard !payload.isEmpty else { throw .payloadEmpty }
        guard payload.count <= Self.payloadLimit else { throw .payloadTooLarge }
        self.token = token
        self.topic = topic
        self.payload = payload
    }

    /// Whether it is too late to deliver it.
    ///
    /// - Parameter now: Seconds since 1970.
    package func isExpired(at now: Int64) -> Bool { expiration.map { $0 != 0 && $0 < now } ?? false }

    /// The identifier that answers carry, also where the request is refused.
    package static func identifier(_ text: String?) throws(PushRejection) -> String {
        guard let text else { return UUID().uuidString.lowercased() }
        guard text.utf8.count == 36, let identifier = UUID(uuidString: text) else { throw .badMessageID }
        return identifier.uuidString.lowercased()
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 400 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

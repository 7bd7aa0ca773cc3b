import Foundation

/// A validated request to send one push, as a value without I/O.
///
/// Source: "Sending notification requests to APNs" and "Handling notification responses from APNs", Apple.
package struct PushRequest: Sendable, Hashable {
    /// The greatest payload in bytes.
    package static let payloadLimit = 4096

    package let token: [UInt8]
    package let topic: String
    /// The `apns-id` in lower case, generated if the sender specified none.
    package let identifier: String
    /// The time in seconds since 1970 after which the push isn't delivered; 0 for immediate delivery only; `nil` if
    /// unspecified.
    package let expiration: Int64?
    package let payload: [UInt8]
    /// The provider's token as it was sent.
    package let authorization: String

    /// - Parameters:
    ///   - fields: The header fields, with names in lower case. The first of equal ones counts.
    ///   - payload: The payload, with at most one byte more than ``payloadLimit``.
    /// - Throws: ``PushRejection`` as APNs responds.
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

    /// Returns a Boolean value that indicates whether the push has expired.
    ///
    /// - Parameter now: The time in seconds since 1970.
    package func isExpired(at now: Int64) -> Bool { expiration.map { $0 != 0 && $0 < now } ?? false }

    /// Returns the identifier for responses, including those that refuse the request.
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

import Crypto

/// The digest authentication that receivers request with status 401.
///
/// Source: RFC 2069 §2.1, RFC 2617 §3.2 with `qop=auth`. The digest is MD5 because the protocol has no other. It only
/// hides the password on the wire.
package struct DigestAuthentication: Sendable, Hashable {
    package let realm: String
    package let nonce: String
    package let opaque: String?
    package let wantsCount: Bool
    private var count = 0

    /// Reads `Digest realm="raop", nonce="…"`.
    ///
    /// - Throws: ``AirPlayError/unknownAuthentication(_:)`` for another scheme or algorithm.
    package init(challenge: String) throws(AirPlayError) {
        let unknown = AirPlayError.unknownAuthentication(String(challenge.prefix(80)))
        guard challenge.lowercased().hasPrefix("digest ") else { throw unknown }
        let values = Self.parameters(challenge.dropFirst(7))
        guard let realm = values["realm"], let nonce = values["nonce"],
            (values["algorithm"] ?? "MD5").uppercased() == "MD5"
        else { throw unknown }
        self.realm = realm
        self.nonce = nonce
        opaque = values["opaque"]
        let qualities = values["qop"]?.split(separator: ",").map { $0.filter { $0 != " " } }
        if let qualities, !qualities.contains("auth") { throw unknown }
        wantsCount = qualities != nil
    }

    /// The `Authorization` header of a request.
    ///
    /// - Parameters:
    ///   - user: Receivers accept any.
    ///   - clientNonce: Fresh and random where ``wantsCount``.
    package mutating func authorization(
        method: String, uri: String, user: String, password: String, clientNonce: String
    ) -> String {
        let secret = Self.hash("\(user):\(realm):\(password)")
        let request = Self.hash("\(method):\(uri)")
        var header = "Digest username=\"\(user)\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(uri)\""
        if wantsCount {
            count += 1
            let digits = String(count, radix: 16)
            let number = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
            let response = Self.hash("\(secret):\(nonce):\(number):\(clientNonce):auth:\(request)")
            header += ", qop=auth, nc=\(number), cnonce=\"\(clientNonce)\", response=\"\(response)\""
        } else {
            header += ", response=\"\(Self.hash("\(secret):\(nonce):\(request)"))\""
        }
        if let opaque { header += ", opaque=\"\(opaque)\"" }
        return header
    }

    private static func hash(_ text: String) -> String {
        Insecure.MD5.hash(data: Array(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// `name=value` and `name="value"`, separated by commas; names in lower case.
    private static func parameters(_ text: Substring) -> [String: String] {
        var values: [String: String] = [:]
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].filter { $0 != " " && $0 != "," }.lowercased()
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let quote = rest.firstIndex(of: "\"") else { break }
                values[name] = String(rest[..<quote])
                rest = rest[rest.index(after: quote)...]
            } else {
                let end = rest.firstIndex(of: ",") ?? rest.endIndex
                values[name] = rest[..<end].filter { $0 != " " }
                rest = rest[end...]
            }
        }
        return values
    }
}

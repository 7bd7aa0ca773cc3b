package import Crypto
import Foundation

/// The token by which a server shows that it may push: a JSON Web Token signed with ES256.
///
/// Source: RFC 7519, RFC 7515, RFC 7518 section 3.4; "Establishing a token-based connection to APNs", Apple.
package struct ProviderToken: Sendable, Hashable {
    /// The maximum age in seconds.
    package static let lifetime: Int64 = 3600
    /// The maximum time in seconds by which the server's clock may be ahead.
    private static let tolerance: Int64 = 300

    /// `kid`.
    package let keyIdentifier: String
    /// `iss`.
    package let teamIdentifier: String
    /// `iat`: seconds since 1970.
    package let issuedAt: Int64
    private let signed: [UInt8]
    private let signature: [UInt8]

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: Int64

        enum CodingKeys: String, CodingKey { case iss, iat }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            iss = try container.decode(String.self, forKey: .iss)
            // Some libraries write it as text, and the original takes that.
            if let text = try? container.decode(String.self, forKey: .iat), let seconds = Int64(text) {
                iat = seconds
            } else {
                iat = Int64(exactly: try container.decode(Double.self, forKey: .iat).rounded()) ?? 0
            }
        }
    }

    /// Reads it without believing it; see ``isSigned(by:)``.
    ///
    /// - Throws: ``PushRejection/invalidProviderToken``.
    package init(_ text: String) throws(PushRejection) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 2048, parts.count == 3, let header = Self.data(parts[0]),
            let claims = Self.data(parts[1]), let signature = Self.data(parts[2]), signature.count == 64,
            let head = try? JSONDecoder().decode(Header.self, from: header), head.alg == "ES256",
            let body = try? JSONDecoder().decode(Claims.self, from: claims)
        else { throw .invalidProviderToken }
        keyIdentifier = head.kid
        teamIdentifier = body.iss
        issuedAt = body.iat
        signed = Array((parts[0] + "." + parts[1]).utf8)
        self.signature = [UInt8](signature)
    }

    package func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: signed)
    }

    /// - Parameter now: The time in seconds since 1970.
    /// - Throws: ``PushRejection/expiredProviderToken``, or ``PushRejection/invalidProviderToken`` for a token from the
    ///   future.
    package func checkAge(at now: Int64) throws(PushRejection) {
        guard issuedAt >= now - Self.lifetime else { throw .expiredProviderToken }
        guard issuedAt <= now + Self.tolerance else { throw .invalidProviderToken }
    }

    /// Creates the text of a token, as a server does.
    package static func sign(
        keyIdentifier: String, teamIdentifier: String, issuedAt: Int64, with key: P256.Signing.PrivateKey
    ) throws -> String {
        let header = base64URL(Data("{\"alg\":\"ES256\",\"kid\":\"\(keyIdentifier)\"}".utf8))
        let claims = base64URL(Data("{\"iss\":\"\(teamIdentifier)\",\"iat\":\(issuedAt)}".utf8))
        let signed = header + "." + claims
        return signed + "." + base64URL(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ part: Substring) -> Data? {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

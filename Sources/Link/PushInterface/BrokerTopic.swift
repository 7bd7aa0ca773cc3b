import Foundation

/// The topics of gateways and hosts at a broker: `mdhost/1/…`.
package enum BrokerTopic: Sendable, Hashable {
    /// The registration of a token, retained, published by the host that issued it. `token` is ``hash(of:)``.
    case registration(token: String, host: String)
    /// The newest push to a token for one session, for the host that issued the token. `session` is
    /// ``key(ofSession:)``.
    case push(host: String, token: String, session: String)
    /// A message that the sending gateway gets back after everything before it.
    case mark(gateway: String)

    private static let root = ["mdhost", "1"]
    private static let nameLimit = 64

    package var text: String {
        let levels =
            switch self {
            case .registration(let token, let host): ["token", token, host]
            case .push(let host, let token, let session): ["host", host, "push", token, session]
            case .mark(let gateway): ["gateway", gateway]
            }
        return (Self.root + levels).joined(separator: "/")
    }

    /// Parses a topic; `nil` for other forms.
    package init?(_ text: String) {
        guard text.utf8.count <= 512 else { return nil }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.prefix(2).elementsEqual(Self.root) else { return nil }
        let rest = Array(levels.dropFirst(2))
        switch (rest.first, rest.count) {
        case ("token", 3) where Self.isDigits(rest[1], 64) && Self.isName(rest[2]):
            self = .registration(token: rest[1], host: rest[2])
        case ("host", 5)
        where Self.isName(rest[1]) && rest[2] == "push" && Self.isDigits(rest[3], 64) && Self.isDigits(rest[4], 32):
            self = .push(host: rest[1], token: rest[3], session: rest[4])
        case ("gateway", 2) where Self.isName(rest[1]): self = .mark(gateway: rest[1])
        default: return nil
        }
    }

    /// Returns the topics of all hosts' registrations of a token.
    package static func registrations(token: String) -> String {
        BrokerTopic.registration(token: token, host: "+").text
    }

    /// Returns the topics of all pushes to a host.
    package static func pushes(host: String) -> String { (root + ["host", host, "push", "#"]).joined(separator: "/") }

    /// Returns a token for topics: its SHA-256 as 64 hexadecimal digits. Someone who can read topics can't push with
    /// it.
    package static func hash(of token: some Sequence<UInt8>) -> String { digits(SHA256.digest(of: token)) }

    /// Returns a session's identifier for topics: the first half of its SHA-256 as 32 hexadecimal digits.
    package static func key(ofSession session: String) -> String {
        digits(SHA256.digest(of: session.utf8).prefix(16))
    }

    private static func digits(_ bytes: some Sequence<UInt8>) -> String {
        let letters = Array("0123456789abcdef".utf8)
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(letters[Int(byte >> 4)])
            digits.append(letters[Int(byte & 15)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func isDigits(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }

    private static func isName(_ text: String) -> Bool {
        1...nameLimit ~= text.utf8.count
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") }
    }
}

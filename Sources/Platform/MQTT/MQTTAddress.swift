/// The address of a broker and the user name for it: `mqtts://name@host:8883`, or `mqtt` without TLS.
///
/// Source: the form of RFC 3986; schemes and ports as registered with IANA (`secure-mqtt` 8883, `mqtt` 1883).
package struct MQTTAddress: Sendable, Hashable, CustomStringConvertible {
    package let isSecure: Bool
    /// The user name; empty if the address has none.
    package let user: String
    /// A name, or a numeric address without brackets.
    package let host: String
    package let port: Int

    /// - Returns: `nil` for a text of another form, also for one with a password: that has no place in an address.
    package init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        switch text[..<scheme.lowerBound].lowercased() {
        case "mqtt": isSecure = false
        case "mqtts": isSecure = true
        default: return nil
        }
        var rest = text[scheme.upperBound...]
        if rest.last == "/" { rest.removeLast() }
        if let sign = rest.lastIndex(of: "@") {
            let name = rest[..<sign]
            guard Self.isName(name) else { return nil }
            user = String(name)
            rest = rest[rest.index(after: sign)...]
        } else {
            user = ""
        }
        var port: Substring?
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.first == ":" else { return nil }
            if !after.isEmpty { port = after.dropFirst() }
            guard host.utf8.allSatisfy({ $0 != UInt8(ascii: "[") && $0 > 0x20 }) else { return nil }
        } else {
            let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            host = parts.first.map(String.init) ?? ""
            if parts.count == 2 { port = parts[1] }
            let isHost = host.utf8.allSatisfy { letter in
                letter == UInt8(ascii: "-") || letter == UInt8(ascii: ".") || letter == UInt8(ascii: "_")
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20
            }
            guard isHost else { return nil }
        }
        guard 1...253 ~= host.utf8.count else { return nil }
        if let port {
            guard port.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int(port),
                1...65_535 ~= number
            else { return nil }
            self.port = number
        } else {
            self.port = isSecure ? 8883 : 1883
        }
    }

    /// Returns whether a text is valid both as a level of a topic and as a name in a broker's files: letters, digits,
    /// `-`, `_` and `.`, at most 64 characters.
    private static func isName(_ text: Substring) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { letter in
                letter == UInt8(ascii: "-") || letter == UInt8(ascii: "_") || letter == UInt8(ascii: ".")
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20
            }
    }

    package var description: String {
        let name = user.isEmpty ? "" : user + "@"
        let place = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "mqtts" : "mqtt")://\(name)\(place):\(port)"
    }
}

import Glibc

/// The part of a description's URL that discovery needs; the code that fetches the description interprets the rest.
struct LocationURL: Sendable, Hashable {
    /// As the device sent it.
    let text: String
    /// A name, or an address without brackets and scope.
    let host: String
    /// A Boolean value that indicates whether ``host`` is numeric.
    let isNumeric: Bool

    static let maximumLength = 2_048

    /// `nil` unless `http` or `https` with a host, no user information, a sane port and no blank.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let separator = text.firstRange(of: "://"),
            ["http", "https"].contains(text[..<separator.lowerBound].lowercased())
        else { return nil }
        let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        var host: Substring
        var rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            if let scope = host.firstIndex(of: "%") { host = host[..<scope] }
            rest = authority[authority.index(after: end)...]
            guard NumericAddress(String(host))?.family == .ipv6 else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
        }
        if !rest.isEmpty {
            guard rest.removeFirst() == ":", rest.allSatisfy(\.isNumber), let port = Int(rest),
                (1...65_535).contains(port)
            else { return nil }
        }
        guard !host.isEmpty else { return nil }
        self.text = text
        self.host = String(host)
        isNumeric = NumericAddress(self.host) != nil
    }

    /// The URL with the scope a link-local host needs (RFC 6874): `http://[fe80::1%25eth0]:80/`.
    func scoped(to interface: String) -> String {
        guard let address = NumericAddress(host), address.isLinkLocal, address.family == .ipv6,
            let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]")
        else { return text }
        return "\(text[...open])\(host)%25\(interface)\(text[close...])"
    }
}

/// A numeric address without scope.
struct NumericAddress: Sendable, Hashable {
    let family: SSDPFamily
    /// 4 or 16, network order.
    let bytes: [UInt8]

    init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            family = .ipv4
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            family = .ipv6
            bytes = withUnsafeBytes(of: sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    var isLinkLocal: Bool {
        switch family {
        case .ipv4: bytes[0] == 169 && bytes[1] == 254
        case .ipv6: bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
        }
    }

    var isLoopback: Bool {
        switch family {
        case .ipv4: bytes[0] == 127
        case .ipv6: bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        }
    }

    /// Neither unspecified nor multicast nor reserved.
    var isUnicast: Bool {
        switch family {
        case .ipv4: bytes[0] != 0 && bytes[0] < 224
        case .ipv6: bytes[0] != 0xff && bytes.contains { $0 != 0 }
        }
    }
}

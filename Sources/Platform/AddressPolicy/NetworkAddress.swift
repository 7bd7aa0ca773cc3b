public import Glibc

/// An IPv4 or IPv6 address, without zone and port.
public struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16, network order. An IPv4-mapped address (`::ffff:10.0.0.1`) is the IPv4 address in it.
    public let bytes: [UInt8]

    /// Reads the forms of inet_pton(3) only; of IPv6 with or without a zone.
    ///
    /// Not those of inet_aton(3), which name an address by one number or in octal: those are left to a resolver, whose
    /// result is checked.
    public init?(_ text: String) {
        // C would read no further.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var sixteen = in6_addr()
        let plain = text.contains(":") ? String(text.prefix { $0 != "%" }) : text
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, plain, &sixteen) == 1 {
            bytes = Self.unmapped(withUnsafeBytes(of: sixteen) { Array($0) })
        } else {
            return nil
        }
    }

    /// Reads the forms of inet_aton(3): `2130706433`, `0x7f.1`, `0177.0.0.1`.
    init?(number text: String) {
        var four = in_addr()
        guard inet_aton(text, &four) != 0 else { return nil }
        bytes = withUnsafeBytes(of: four) { Array($0) }
    }

    /// - Parameter address: `nil` is returned for other families than IPv4 and IPv6.
    public init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                Self.unmapped(withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) })
            }
        default: return nil
        }
    }

    private static func unmapped(_ raw: [UInt8]) -> [UInt8] {
        let isMapped = raw.prefix(10).allSatisfy { $0 == 0 } && raw[10] == 0xFF && raw[11] == 0xFF
        return isMapped ? Array(raw.suffix(4)) : raw
    }

    public var isIPv4: Bool { bytes.count == 4 }

    /// `10.0.0.1`, `fd00::1`.
    public var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

// MARK: Kinds

extension NetworkAddress {
    public var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    public var isLinkLocal: Bool {
        isIPv4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// A Boolean value that indicates whether the address can't belong to a single machine: it is unspecified, of "this
    /// network", multicast, broadcast or reserved.
    public var isNoUnicast: Bool {
        isIPv4 ? bytes[0] == 0 || bytes[0] >= 224 : bytes[0] == 0xFF || bytes.allSatisfy { $0 == 0 }
    }

    /// A Boolean value that indicates whether a cloud serves a machine's metadata at this address. Covers only
    /// addresses that aren't link-local.
    public var isMetadataService: Bool {
        bytes == [100, 100, 100, 200]
            || bytes == [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54]
    }

    /// A Boolean value that indicates whether the address is reachable from the whole internet: neither private nor
    /// reserved for another purpose.
    ///
    /// Source: IANA's registries of special-purpose addresses (RFC 6890 and its updates).
    public var isPublic: Bool {
        guard !isNoUnicast, !isLoopback, !isLinkLocal, !isMetadataService else { return false }
        if let embedded, !embedded.isPublic { return false }
        guard isIPv4 else {
            // Global unicast is 2000::/3. Within it, Teredo, documentation, benchmarking and ORCHID addresses belong to
            // no server. Translated addresses (64:ff9b::/96) lead to servers, too; those of ::/96 lead nowhere.
            let isReserved =
                bytes.prefix(4) == [0x20, 0x01, 0, 0] || bytes.prefix(4) == [0x20, 0x01, 0x0D, 0xB8]
                || bytes.prefix(6) == [0x20, 0x01, 0, 2, 0, 0] || bytes.prefix(2) == [0x3F, 0xFF]
                || (bytes.prefix(3) == [0x20, 0x01, 0] && [0x10, 0x20, 0x30].contains(bytes[3] & 0xF0))
            return !isReserved && (bytes[0] & 0xE0 == 0x20 || (bytes[1] == 0x64 && embedded != nil))
        }
        switch (bytes[0], bytes[1], bytes[2]) {
        case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _), (198, 18...19, _), (192, 0, 0),
            (192, 0, 2), (198, 51, 100), (203, 0, 113), (192, 88, 99):
            return false
        default: return true
        }
    }

    /// The IPv4 address that a translator or tunnel would send to: `64:ff9b::/96`, `2002::/16`, `::/96`.
    var embedded: NetworkAddress? {
        guard !isIPv4 else { return nil }
        if bytes.prefix(12) == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] { return Self(four: bytes.suffix(4)) }
        if bytes.prefix(2) == [0x20, 0x02] { return Self(four: bytes[2..<6]) }
        if bytes.prefix(12).allSatisfy({ $0 == 0 }), !isLoopback { return Self(four: bytes.suffix(4)) }
        return nil
    }

    private init(four: ArraySlice<UInt8>) { bytes = Array(four) }

    /// Returns a Boolean value that indicates whether both addresses are in one network of the usual size: /24 for
    /// IPv4, /64 for IPv6.
    func sharesNetwork(with other: NetworkAddress) -> Bool {
        bytes.count == other.bytes.count && bytes.prefix(isIPv4 ? 3 : 8) == other.bytes.prefix(isIPv4 ? 3 : 8)
    }
}

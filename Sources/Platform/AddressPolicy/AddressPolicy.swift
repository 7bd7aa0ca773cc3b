import Glibc

/// The addresses that a device may send us to: its own and those of its network, nowhere else, but for the internet where
/// that is allowed.
///
/// A device on this machine (127.0.0.1) may send us to this machine.
public struct AddressPolicy: Sendable, Hashable {
    private let device: Set<NetworkAddress>

    private let allowsInternet: Bool

    /// - Parameters:
    ///   - device: The addresses the device sends from. An empty sequence allows no address of this network.
    ///   - allowsInternet: A Boolean value that indicates whether public internet addresses are allowed, too.
    public init(device: some Sequence<NetworkAddress>, allowsInternet: Bool = false) {
        self.device = Set(device)
        self.allowsInternet = allowsInternet
    }

    public func allows(_ address: NetworkAddress) -> Bool {
        if allowsInternet, address.isPublic { return true }
        guard !address.isNoUnicast, !device.isEmpty else { return false }
        if device.contains(address) { return true }
        if let embedded = address.embedded, !allows(embedded) { return false }
        if address.isLoopback { return device.contains(where: \.isLoopback) }
        guard !address.isLinkLocal, !address.isMetadataService else { return false }
        return device.contains { !$0.isLoopback && $0.sharesNetwork(with: address) }
    }

    /// Returns the first allowed address for a host name or a numeric address, or `nil` if none is allowed.
    ///
    /// Connect to the returned address, not to the name: a second resolution may give another answer. Blocks while the
    /// resolver works, so call it on a thread that may block. Keeps the zone of a scoped address.
    public func resolve(_ host: String) -> String? {
        if let address = NetworkAddress(host) { return allows(address) ? host : nil }
        guard Self.isName(host) else { return nil }
        if let last = host.split(separator: ".").last, last.first?.isNumber == true {
            // The remaining texts are decimal, octal or hexadecimal numbers, or empty; no host name ends like that.
            guard let address = NetworkAddress(number: host) else { return nil }
            return allows(address) ? address.text : nil
        }
        return Self.addresses(of: host).first(where: allows)?.text
    }

    /// Returns all addresses of a host name, or the address that a text represents; empty if there are none. Blocks
    /// while the resolver works.
    public static func addresses(of host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var results: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &results) == 0 else { return [] }
        defer { freeaddrinfo(results) }
        var addresses: [NetworkAddress] = []
        var next = results
        while let entry = next {
            if let raw = entry.pointee.ai_addr, let address = NetworkAddress(UnsafePointer(raw)) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    /// Returns a Boolean value that indicates whether the text contains only characters of a host name, in ASCII.
    private static func isName(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count)
            && host.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.properties.numericType != nil
                        || "-._".unicodeScalars.contains($0))
            }
    }
}

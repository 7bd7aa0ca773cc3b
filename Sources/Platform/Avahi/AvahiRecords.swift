import CAvahi
import Glibc

/// Reads the data structures of a resolver's answer.
enum AvahiRecords {
    /// TXT strings to keys and values (RFC 6763 §6): the first of equal keys counts, case does not distinguish keys,
    /// strings without a key are ignored. Bytes of a key that are no UTF-8 are replaced.
    static func textRecord(_ strings: some Sequence<[UInt8]>) -> [String: [UInt8]] {
        var record: [String: [UInt8]] = [:]
        var seen: Set<String> = []
        for string in strings {
            let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, !first.isEmpty else { continue }
            let key = String(decoding: first, as: UTF8.self)
            guard seen.insert(key.lowercased()).inserted else { continue }
            record[key] = parts.count > 1 ? Array(parts[1]) : []
        }
        return record
    }

    /// The strings of an Avahi list, in its order.
    static func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var node = list
        while let current = node {
            let size = avahi_string_list_get_size(current)
            let text = avahi_string_list_get_text(current)
            strings.append(Array(UnsafeBufferPointer(start: text, count: size)))
            node = avahi_string_list_get_next(current)
        }
        return strings
    }

    /// The numeric form of an address a client may connect to.
    ///
    /// `nil` for another family than the row's (Avahi may answer an IPv4 row with an IPv6 address), and for
    /// unspecified, multicast and, outside of the loopback interface, loopback addresses.
    static func address(_ address: AvahiAddress, family: AvahiFamily, interfaceName: String) -> String? {
        guard AvahiFamily(address.proto) == family else { return nil }
        var copy = address
        let first = withUnsafeBytes(of: &copy.data) { Array($0.prefix(16)) }
        var isLinkLocal = false
        switch family {
        case .ipv4:
            guard first[0] != 0, first[0] < 224, first[0] != 127 || interfaceName == "lo" else { return nil }
        case .ipv6:
            let isLowest = first.dropLast().allSatisfy { $0 == 0 }
            guard first[0] != 0xff, !(isLowest && first[15] == 0) else { return nil }
            guard !(isLowest && first[15] == 1) || interfaceName == "lo" else { return nil }
            isLinkLocal = first[0] == 0xfe && first[1] & 0xc0 == 0x80
        }
        var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard avahi_address_snprint(&text, text.count, &copy) != nil else { return nil }
        let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isLinkLocal ? "\(numeric)%\(interfaceName)" : numeric
    }

    /// Returns the name, such as `eth0`, or the index in decimal if the interface no longer exists.
    static func interfaceName(_ index: Int32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard index >= 0, if_indextoname(UInt32(index), &name) != nil else { return String(index) }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// An identifier of a physical device that is independent of the protocol, as extensions declare it: `kind:value`, such
/// as `mac:0011223344aa` or `upnp:6d64686f-7374-4c61-8000-00000000000a`.
///
/// Two devices of different protocols with the same identifier are the same device, so it has to be globally unique.
package enum DeclaredIdentifier {
    /// The highest number of identifiers of one device.
    package static let limit = 16
    /// The longest identifier in bytes.
    package static let longest = 128
    /// The kinds of values that devices can share or change.
    private static let refusedKinds: Set<String> = ["address", "host", "hostname", "ip", "ipv4", "ipv6", "name"]

    /// Returns the canonical form of an identifier: lower case, a hardware address without separators, a unique device
    /// name without `uuid:`.
    ///
    /// - Returns: `nil` for an invalid identifier, for addresses and names, and for values that many devices share.
    package static func normalised(_ text: String) -> String? {
        guard text.utf8.count <= longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let kind = text[..<colon].lowercased()
        var value = text[text.index(after: colon)...].lowercased()
        guard !kind.isEmpty, kind.utf8.allSatisfy(isOfWord), !refusedKinds.contains(kind) else { return nil }
        switch kind {
        case "mac":
            value.removeAll { ":-.".contains($0) }
            guard value.utf8.count == 12, value.allSatisfy(\.isHexDigit) else { return nil }
        case "upnp":
            while value.hasPrefix("uuid:") { value.removeFirst(5) }
        default: break
        }
        let significant = value.utf8.filter(isOfWord).filter { $0 != UInt8(ascii: "-") }
        guard let first = significant.first, significant.count >= 4, significant.contains(where: { $0 != first }) else {
            return nil
        }
        return kind + ":" + value
    }

    /// Returns the valid identifiers among those that an extension declared, sorted and without duplicates.
    package static func normalised(_ texts: [String]) -> [String] {
        Array(Set(texts.prefix(limit).compactMap { normalised($0) })).sorted()
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "-")
    }
}

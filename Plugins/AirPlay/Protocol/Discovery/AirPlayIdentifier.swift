/// The identifier of a receiver: the address that its maker assigned, which both of its services announce.
///
/// It looks like a hardware address, but is only a name. Nothing is sent to it; two services with the same identifier
/// belong together.
package struct AirPlayIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Twelve hexadecimal digits in upper case.
    package let digits: String

    /// Parses `AA:BB:CC:DD:EE:FF`, `AA-BB-…` or `AABBCCDDEEFF`; `nil` for other text, and for zeros, which all
    /// receivers without an address announce.
    package init?(_ text: String) {
        let digits = text.filter { $0 != ":" && $0 != "-" }.uppercased()
        guard digits.utf8.count == 12, digits.utf8.allSatisfy(Self.isHexadecimal),
            digits.contains(where: { $0 != "0" })
        else { return nil }
        self.digits = digits
    }

    /// The text a name-based UUID is made from: `airplay:AABBCCDDEEFF`.
    package var stableText: String { "airplay:" + digits }

    package var description: String { digits }

    package static func < (left: Self, right: Self) -> Bool { left.digits < right.digits }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
}

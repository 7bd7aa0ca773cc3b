/// Who a receiver is: the address its maker gave it, which it announces in both of its services and keeps.
///
/// It looks like a hardware address, but is only a name: nothing is ever sent to it, and two services belong together
/// if they say the same, wherever they are.
package struct AirPlayIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Twelve hexadecimal digits in upper case.
    package let digits: String

    /// Reads `AA:BB:CC:DD:EE:FF`, `AA-BB-…` or `AABBCCDDEEFF`; `nil` for anything else, and for zeros only, which are
    /// what receivers without an address of their own all announce.
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

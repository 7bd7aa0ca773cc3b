import Foundation
import HostInterface

/// The privacy of a value in a message.
///
/// Source: os, iOS 27 SDK.
public struct OSLogPrivacy: Sendable {
    /// The replacement of a private value in a report.
    public enum Mask: Sendable {
        /// The text `<private>`.
        case none
        /// A number that is the same for equal values.
        case hash
    }

    private enum Kind { case auto, `public`, `private`, sensitive }
    private let kind: Kind
    private let mask: Mask

    /// Public for numbers, Booleans and types; private for other values.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    /// Visible to everyone.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .public, mask: .none) }
    /// Visible to the user of this computer.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .private, mask: .none) }
    /// Never written.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: .none) }
    /// Returns the privacy of ``auto`` with a mask.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    /// Returns the privacy of ``private`` with a mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .private, mask: mask) }
    /// Returns the privacy of ``sensitive`` with a mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

    func apply(_ value: String, isPublic: Bool) -> String {
        let isMasked = mask == .hash
        switch kind {
        case .public: return PrivateText.shown(value)
        case .auto where isPublic: return PrivateText.shown(value)
        case .auto, .private: return PrivateText.marked(value) + (isMasked ? Self.fingerprint(value) : "")
        case .sensitive: return isMasked ? Self.fingerprint(value) : "<sensitive>"
        }
    }

    /// Returns an FNV-1a hash, salted with the process identifier, so that it is comparable only within one log.
    private static func fingerprint(_ value: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(getpid())
        for byte in value.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "<mask:\(String(hash >> 32, radix: 16))>"
    }
}

/// The alignment of a value.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// No alignment.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isRight: false) }
    /// Returns an alignment with spaces before the value.
    public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: true) }
    /// Returns an alignment with spaces after the value.
    public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, min(columns, 1_000) - text.count))
        return isRight ? padding + text : text + padding
    }
}

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let prefix: String
    private let isUppercase: Bool
    private let minimumDigits: Int

    /// Decimal digits.
    public static var decimal: OSLogIntegerFormatting { .decimal(minDigits: 0) }
    /// Returns the format of decimal digits, with leading zeros.
    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        .init(radix: 10, prefix: "", isUppercase: false, minimumDigits: minDigits)
    }
    /// Hexadecimal digits.
    public static var hex: OSLogIntegerFormatting { .hex() }
    /// Returns the format of hexadecimal digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: (explicitPositiveSign ? "+" : "") + (includePrefix ? "0x" : ""), isUppercase: uppercase,
            minimumDigits: minDigits)
    }
    /// Octal digits.
    public static var octal: OSLogIntegerFormatting {
        .init(radix: 8, prefix: "", isUppercase: false, minimumDigits: 0)
    }

    func apply(_ value: some FixedWidthInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, min(minimumDigits, 100) - digits.count))
        return (value < 0 ? "-" : "") + prefix + zeros + digits
    }
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    private let format: String

    /// Six decimal places.
    public static var fixed: OSLogFloatFormatting { .fixed(precision: 6) }
    /// Returns the format of a number of decimal places.
    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        .init(format: "%.\(min(100, max(0, precision)))f")
    }
    /// An exponent of ten.
    public static var exponential: OSLogFloatFormatting { .init(format: "%e") }
    /// The shorter of the fixed and exponential formats.
    public static var hybrid: OSLogFloatFormatting { .init(format: "%g") }

    func apply(_ value: Double) -> String { String(format: format, value) }
}

import Foundation
import HostInterface

/// Who may read a value of a message.
///
/// Source: os, iOS 27 SDK.
public struct OSLogPrivacy: Sendable {
    /// What stands for a private value in a report.
    public enum Mask: Sendable {
        /// `<private>`.
        case none
        /// A number that is the same for the same value.
        case hash
    }

    private enum Kind { case auto, `public`, `private`, sensitive }
    private let kind: Kind
    private let mask: Mask

    /// Public for numbers, private for all else.
    public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: .none) }
    /// For everybody.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .public, mask: .none) }
    /// For the person at this computer.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .private, mask: .none) }
    /// For nobody: it is not written.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: .none) }
    /// As ``auto``, with a mask.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
    /// As ``private``, with a mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .private, mask: mask) }
    /// As ``sensitive``, with a mask.
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

    /// FNV-1a with the process as its salt: the same within one log, of no use outside.
    private static func fingerprint(_ value: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(getpid())
        for byte in value.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "<mask:\(String(hash >> 32, radix: 16))>"
    }
}

/// How wide a value is written.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// As wide as it is.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isRight: false) }
    /// With spaces before it.
    public static func right(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: true) }
    /// With spaces behind it.
    public static func left(columns: Int) -> OSLogStringAlignment { .init(columns: columns, isRight: false) }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, min(columns, 1_000) - text.count))
        return isRight ? padding + text : text + padding
    }
}

/// How an integer is written.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let prefix: String
    private let isUppercase: Bool
    private let minimumDigits: Int

    /// In decimal digits.
    public static var decimal: OSLogIntegerFormatting { .decimal(minDigits: 0) }
    /// In decimal digits, with zeros before them.
    public static func decimal(minDigits: Int) -> OSLogIntegerFormatting {
        .init(radix: 10, prefix: "", isUppercase: false, minimumDigits: minDigits)
    }
    /// In hexadecimal digits.
    public static var hex: OSLogIntegerFormatting { .hex() }
    /// In hexadecimal digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: (explicitPositiveSign ? "+" : "") + (includePrefix ? "0x" : ""), isUppercase: uppercase,
            minimumDigits: minDigits)
    }
    /// In octal digits.
    public static var octal: OSLogIntegerFormatting {
        .init(radix: 8, prefix: "", isUppercase: false, minimumDigits: 0)
    }

    func apply(_ value: some FixedWidthInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, min(minimumDigits, 100) - digits.count))
        return (value < 0 ? "-" : "") + prefix + zeros + digits
    }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
    private let format: String

    /// With six places.
    public static var fixed: OSLogFloatFormatting { .fixed(precision: 6) }
    /// With that many places.
    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        .init(format: "%.\(min(100, max(0, precision)))f")
    }
    /// With a power of ten.
    public static var exponential: OSLogFloatFormatting { .init(format: "%e") }
    /// As short as it can be.
    public static var hybrid: OSLogFloatFormatting { .init(format: "%g") }

    func apply(_ value: Double) -> String { String(format: format, value) }
}

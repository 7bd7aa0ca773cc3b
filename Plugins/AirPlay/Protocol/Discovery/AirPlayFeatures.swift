/// The features of a receiver: the key `ft` of `_raop._tcp`, `features` of `_airplay._tcp`.
///
/// A missing bit means no, not unknown, unless the record lacks the key. Unnamed bits are kept.
package struct AirPlayFeatures: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: Int) { rawValue = 1 << UInt64(bit) }

    /// Plays video from an address (AirPlay 1's `/play`).
    package static let video = Self(bit: 0)
    package static let videoHTTPLiveStreams = Self(bit: 4)
    package static let screen = Self(bit: 7)
    package static let audio = Self(bit: 9)
    package static let artwork = Self(bit: 15)
    package static let progress = Self(bit: 16)
    package static let textMetadata = Self(bit: 17)
    /// The old pairing with a code by `/pair-setup-pin`, and verification with keys.
    package static let legacyPairing = Self(bit: 27)
    /// Both services have one port, and the `_raop._tcp` one is only for old senders.
    package static let unifiedAdvertising = Self(bit: 30)
    /// HAP pairing with encrypted control, without which AirPlay 2 does not begin.
    package static let coreUtilsPairing = Self(bit: 38)
    package static let bufferedAudio = Self(bit: 40)
    package static let preciseTime = Self(bit: 41)
    package static let systemPairing = Self(bit: 43)
    package static let homeKitPairing = Self(bit: 46)
    package static let transientPairing = Self(bit: 48)

    /// Reads `0x5A7FFFF7,0x1E` (low word first) or `0x1E5A7FFFF7`.
    ///
    /// - Returns: `nil` for anything else.
    package init?(text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.hexadecimal($0) }
        switch words.count {
        case 1:
            guard let value = words[0] else { return nil }
            rawValue = value
        case 2:
            guard let low = words[0], let high = words[1], low <= UInt32.max, high <= UInt32.max else { return nil }
            rawValue = high << 32 | low
        default: return nil
        }
    }

    /// Parses a hexadecimal number, with or without `0x`. Unlike `UInt64` it accepts no sign.
    static func hexadecimal(_ text: Substring) -> UInt64? {
        let trimmed = text.drop { $0 == " " }
        let digits = trimmed.lowercased().hasPrefix("0x") ? trimmed.dropFirst(2) : trimmed
        guard let first = digits.first, first.isHexDigit else { return nil }
        return UInt64(digits, radix: 16)
    }
}

/// The status of a receiver: the key `sf` of `_raop._tcp`, `flags` of `_airplay._tcp`.
package struct AirPlayStatusFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Shows a code that every connection has to give.
    package static let codeRequired = Self(rawValue: 1 << 3)
    package static let passwordRequired = Self(rawValue: 1 << 7)
    /// Shows a code once, then knows the sender by its key.
    package static let pairingRequired = Self(rawValue: 1 << 9)

    /// Reads `0x4`; `nil` for anything else.
    package init?(text: String) {
        guard let value = AirPlayFeatures.hexadecimal(text[...]) else { return nil }
        rawValue = value
    }
}

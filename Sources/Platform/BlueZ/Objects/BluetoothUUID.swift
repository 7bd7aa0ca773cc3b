/// A UUID of a service, a characteristic or a profile, always in its long form in lower case.
package struct BluetoothUUID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `0000110b-0000-1000-8000-00805f9b34fb`.
    package let description: String

    private static let baseSuffix = "-0000-1000-8000-00805f9b34fb"

    /// Creates a UUID from a number assigned by the Bluetooth SIG (16 or 32 bits).
    package init(_ assigned: UInt32) {
        let digits = String(assigned, radix: 16)
        description = String(repeating: "0", count: 8 - digits.count) + digits + Self.baseSuffix
    }

    /// - Parameter text: 4, 8 or 36 characters, in any case.
    package init?(_ text: String) {
        if text.utf8.count == 4 || text.utf8.count == 8 {
            guard text.utf8.first != UInt8(ascii: "+"), let assigned = UInt32(text, radix: 16) else { return nil }
            self = BluetoothUUID(assigned)
            return
        }
        let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) else {
            return nil
        }
        description = text.lowercased()
    }

    package static func < (first: Self, second: Self) -> Bool { first.description < second.description }

    // MARK: Profiles and services of audio (Bluetooth Assigned Numbers, 3.3 and 3.4)

    package static let audioSink = BluetoothUUID(0x110b)
    package static let audioSource = BluetoothUUID(0x110a)
    package static let remoteControlTarget = BluetoothUUID(0x110c)
    package static let remoteControl = BluetoothUUID(0x110e)
    package static let handsFree = BluetoothUUID(0x111e)
    package static let battery = BluetoothUUID(0x180f)
    /// LE Audio: Audio Stream Control.
    package static let audioStreamControl = BluetoothUUID(0x184e)
    /// LE Audio: Published Audio Capabilities.
    package static let publishedAudioCapabilities = BluetoothUUID(0x1850)
}

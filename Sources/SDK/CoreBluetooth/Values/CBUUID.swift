public import Foundation

/// The UUID of a service, characteristic or descriptor.
///
/// A 16-bit or 32-bit UUID, as assigned by the Bluetooth SIG, equals its 128-bit form.
public final class CBUUID: Sendable, Hashable, CustomStringConvertible {
    /// The bytes in big-endian order: 2 or 4 for an assigned UUID, otherwise 16.
    public let data: Data

    /// The Bluetooth Base UUID, `0000xxxx-0000-1000-8000-00805F9B34FB`, without its first four bytes.
    private static let base = Data([0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB])

    /// Creates a UUID from its text.
    ///
    /// - Parameter theString: 4, 8 or 36 characters in any case, such as `180F`. Any other text terminates the program,
    ///   as on Apple's systems; use ``init(validating:)`` for text from outside.
    public convenience init(string theString: String) {
        guard let bytes = Self.bytes(theString) else { preconditionFailure("“\(theString)” isn't a Bluetooth UUID") }
        self.init(data: bytes)
    }

    /// Creates a UUID from its bytes.
    ///
    /// - Parameter theData: 2, 4 or 16 bytes in big-endian order. Any other number terminates the program.
    public init(data theData: Data) {
        precondition([2, 4, 16].contains(theData.count), "A Bluetooth UUID has 2, 4 or 16 bytes, not \(theData.count)")
        data = Self.shortened(Data(theData))
    }

    /// Creates a UUID from its 128-bit form.
    public convenience init(nsuuid theUUID: UUID) {
        self.init(data: withUnsafeBytes(of: theUUID.uuid) { Data($0) })
    }

    /// Creates a UUID from text of another program. Available on Linux only.
    ///
    /// - Parameter text: 4, 8 or 36 characters in any case. The result is `nil` for any other text.
    public convenience init?(validating text: String) {
        guard let bytes = Self.bytes(text) else { return nil }
        self.init(data: bytes)
    }

    /// The shortest form in upper case, such as `180F`.
    public var uuidString: String {
        let digits = data.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }
        guard data.count == 16 else { return digits.joined() }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// The same text as ``uuidString``.
    public var description: String { uuidString }

    /// Returns a Boolean value that indicates whether two UUIDs are equal.
    public static func == (left: CBUUID, right: CBUUID) -> Bool { left.data == right.data }
    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(data) }

    private static func bytes(_ text: String) -> Data? {
        let characters = Array(text.utf8)
        let isLong = characters.count == 36
        guard isLong || characters.count == 4 || characters.count == 8 else { return nil }
        let hyphens: Set<Int> = isLong ? [8, 13, 18, 23] : []
        var digits: [UInt8] = []
        for (index, character) in characters.enumerated() {
            if hyphens.contains(index) {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
                digits.append(UInt8(digit))
            }
        }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    private static func shortened(_ data: Data) -> Data {
        var data = data
        if data.count == 16, data.dropFirst(4) == base { data = Data(data.prefix(4)) }
        if data.count == 4, data.prefix(2) == Data([0, 0]) { data = Data(data.suffix(2)) }
        return data
    }
}

/// The type of a descriptor with extended properties of a characteristic.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The type of a descriptor that describes a characteristic in words.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The type of the descriptor that enables notifications for this client. The system writes it.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The type of the descriptor that enables broadcasts of a server.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The type of a descriptor with the format of a value.
public let CBUUIDCharacteristicFormatString = "2904"
/// The type of a descriptor that lists the formats of an aggregate value.
public let CBUUIDCharacteristicAggregateFormatString = "2905"

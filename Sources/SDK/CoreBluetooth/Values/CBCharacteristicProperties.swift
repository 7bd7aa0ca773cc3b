/// The operations that a characteristic supports.
public struct CBCharacteristicProperties: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let broadcast = Self(rawValue: 0x01)
    public static let read = Self(rawValue: 0x02)
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    public static let write = Self(rawValue: 0x08)
    public static let notify = Self(rawValue: 0x10)
    public static let indicate = Self(rawValue: 0x20)
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    public static let extendedProperties = Self(rawValue: 0x80)
    public static let notifyEncryptionRequired = Self(rawValue: 0x100)
    public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// The kind of a write.
public enum CBCharacteristicWriteType: Int, Sendable, Hashable {
    /// The peripheral confirms or refuses the write.
    case withResponse = 0
    /// The peripheral doesn't answer.
    case withoutResponse
}

/// The permissions of an attribute.
public struct CBAttributePermissions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let readable = Self(rawValue: 0x01)
    public static let writeable = Self(rawValue: 0x02)
    public static let readEncryptionRequired = Self(rawValue: 0x04)
    public static let writeEncryptionRequired = Self(rawValue: 0x08)
}

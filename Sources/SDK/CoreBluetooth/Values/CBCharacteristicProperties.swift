/// The operations that a characteristic supports.
public struct CBCharacteristicProperties: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt
    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be broadcast.
    public static let broadcast = Self(rawValue: 0x01)
    /// The value can be read.
    public static let read = Self(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = Self(rawValue: 0x08)
    /// The peripheral can notify changes of the value.
    public static let notify = Self(rawValue: 0x10)
    /// The peripheral can notify changes of the value, with an acknowledgement.
    public static let indicate = Self(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    /// The characteristic has a descriptor with further properties.
    public static let extendedProperties = Self(rawValue: 0x80)
    /// Notifications require encryption.
    public static let notifyEncryptionRequired = Self(rawValue: 0x100)
    /// Indications require encryption.
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
    /// The bits of the set.
    public let rawValue: UInt
    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be read.
    public static let readable = Self(rawValue: 0x01)
    /// The value can be written.
    public static let writeable = Self(rawValue: 0x02)
    /// Reading requires encryption.
    public static let readEncryptionRequired = Self(rawValue: 0x04)
    /// Writing requires encryption.
    public static let writeEncryptionRequired = Self(rawValue: 0x08)
}

import DBus

/// A GATT service of a connected device (`org.bluez.GattService1`).
package struct BluetoothService: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.GattService1"

    package let id: BlueZIdentifier
    package let device: BlueZIdentifier
    package let uuid: BluetoothUUID
    package let isPrimary: Bool
    /// Services that it includes.
    package let includes: [BlueZIdentifier]

    init?(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        guard let uuid = values["UUID"]?.asString.flatMap({ BluetoothUUID($0) }),
            let device = values["Device"].identifier
        else { return nil }
        self.id = id
        self.uuid = uuid
        self.device = device
        isPrimary = values["Primary"]?.asBool ?? true
        includes = (values["Includes"]?.asArray ?? []).compactMap { Optional($0).identifier }
    }
}

/// A value of a service (`org.bluez.GattCharacteristic1`).
package struct BluetoothCharacteristic: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.GattCharacteristic1"

    package let id: BlueZIdentifier
    package let service: BlueZIdentifier
    package let uuid: BluetoothUUID
    /// The allowed operations, in bluetoothd's words: `read`, `write`, `write-without-response`, `notify`, `indicate`,
    /// `encrypt-read`…
    package let flags: Set<String>
    package let isNotifying: Bool
    /// As last read or notified.
    package let value: [UInt8]?
    /// Largest number of bytes of an attribute on this link; `nil` where bluetoothd does not tell (before 5.62).
    package let maximumTransmission: Int?

    init?(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        guard let uuid = values["UUID"]?.asString.flatMap({ BluetoothUUID($0) }),
            let service = values["Service"].identifier
        else { return nil }
        self.id = id
        self.uuid = uuid
        self.service = service
        flags = Set((values["Flags"]?.asArray ?? []).compactMap(\.asString))
        isNotifying = values["Notifying"]?.asBool ?? false
        value = values["Value"]?.asBytes
        maximumTransmission = values["MTU"].unsigned()
    }
}

/// A descriptor of a characteristic (`org.bluez.GattDescriptor1`).
package struct BluetoothDescriptor: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.GattDescriptor1"

    package let id: BlueZIdentifier
    package let characteristic: BlueZIdentifier
    package let uuid: BluetoothUUID
    package let value: [UInt8]?

    init?(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        guard let uuid = values["UUID"]?.asString.flatMap({ BluetoothUUID($0) }),
            let characteristic = values["Characteristic"].identifier
        else { return nil }
        self.id = id
        self.uuid = uuid
        self.characteristic = characteristic
        value = values["Value"]?.asBytes
    }
}

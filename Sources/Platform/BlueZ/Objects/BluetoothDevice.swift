import DBus

/// A remote device that bluetoothd knows: found, or paired with before (`org.bluez.Device1`).
package struct BluetoothDevice: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.Device1"

    package enum AddressKind: String, Sendable { case `public`, random }

    package let id: BlueZIdentifier
    package let adapter: BlueZIdentifier
    /// `00:11:22:33:44:55`. Of an LE device with privacy it changes until the device is paired.
    package let address: String
    package let addressKind: AddressKind
    /// The address in the device's first advertisement. It stays in the object's path as long as bluetoothd runs.
    package let firstAddress: String
    /// The name that the device reports; `nil` until it does.
    package let name: String?
    /// The name given by the person, else ``name``, else the address.
    package let alias: String
    /// Name of an icon of the desktop (`audio-headphones`).
    package let icon: String?
    /// BR/EDR only.
    package let classOfDevice: UInt32?
    /// LE only (Bluetooth Assigned Numbers, 2.6).
    package let appearance: UInt16?
    package let uuids: [BluetoothUUID]
    package let isPaired: Bool
    /// A Boolean value that indicates whether bluetoothd stores keys of the device. It shows ``isPaired`` only once it
    /// knows the device's services.
    package let hasKeys: Bool
    /// It may connect without anybody being asked.
    package let isTrusted: Bool
    package let isBlocked: Bool
    package let isConnected: Bool
    /// A Boolean value that indicates whether the device's GATT services are in the tree.
    package let areServicesResolved: Bool
    /// The device supports only PIN codes (it predates Bluetooth 2.1).
    package let hasLegacyPairing: Bool
    /// In dBm; `nil` if the current scan hasn't received the device.
    package let signalStrength: Int?
    /// In dBm, as advertised.
    package let transmitPower: Int?
    /// Manufacturer data by company identifier.
    package let manufacturerData: [UInt16: [UInt8]]
    package let serviceData: [BluetoothUUID: [UInt8]]
    /// The flags of its advertisement; empty if it has none.
    package let advertisingFlags: [UInt8]

    init(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        self.id = id
        adapter =
            values["Adapter"].identifier
            ?? BlueZIdentifier(rawValue: id.rawValue.split(separator: "/").dropLast().map { "/" + $0 }.joined())
        address = values["Address"]?.asString ?? ""
        let words = id.rawValue.split(separator: "/").last?.split(separator: "_") ?? []
        firstAddress =
            words.first == "dev" && words.count == 7 ? words.dropFirst().joined(separator: ":") : address
        addressKind = values["AddressType"]?.asString.flatMap { AddressKind(rawValue: $0) } ?? .public
        name = values["Name"]?.asString
        alias = values["Alias"]?.asString ?? name ?? address
        icon = values["Icon"]?.asString.flatMap { $0.isEmpty ? nil : $0 }
        classOfDevice = values["Class"].unsigned()
        appearance = values["Appearance"].unsigned()
        uuids = values["UUIDs"].uuids
        isPaired = values["Paired"]?.asBool ?? false
        // `Bonded` exists since 5.65.
        hasKeys = isPaired || values["Bonded"]?.asBool == true
        isTrusted = values["Trusted"]?.asBool ?? false
        isBlocked = values["Blocked"]?.asBool ?? false
        isConnected = values["Connected"]?.asBool ?? false
        areServicesResolved = values["ServicesResolved"]?.asBool ?? false
        hasLegacyPairing = values["LegacyPairing"]?.asBool ?? false
        signalStrength = values["RSSI"].unsigned()
        transmitPower = values["TxPower"].unsigned()
        manufacturerData = Self.bytes(values["ManufacturerData"]) { $0.asInt64.flatMap { UInt16(exactly: $0) } }
        serviceData = Self.bytes(values["ServiceData"]) { $0.asString.flatMap { BluetoothUUID($0) } }
        advertisingFlags = values["AdvertisingFlags"]?.asBytes ?? []
    }

    private static func bytes<Key: Hashable>(_ value: DBusValue?, _ key: (DBusValue) -> Key?) -> [Key: [UInt8]] {
        guard case .dictionary(_, _, let entries)? = value?.unwrapped else { return [:] }
        var result: [Key: [UInt8]] = [:]
        for (name, data) in entries {
            if let name = key(name), let data = data.asBytes { result[name] = data }
        }
        return result
    }
}

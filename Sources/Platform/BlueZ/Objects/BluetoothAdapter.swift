import DBus

/// A Bluetooth controller of this machine (`org.bluez.Adapter1`).
package struct BluetoothAdapter: Sendable, Hashable, Identifiable {
    static let interface = "org.bluez.Adapter1"

    package let id: BlueZIdentifier
    /// `00:11:22:33:44:55`.
    package let address: String
    /// The kind of the address that it uses for LE.
    package let addressKind: BluetoothDevice.AddressKind
    /// The name that other devices see.
    package let name: String
    package let isPowered: Bool
    /// A switch on the machine or `rfkill` keeps it off. `false` also where bluetoothd does not tell (before 5.65).
    package let isBlocked: Bool
    /// A Boolean value that indicates whether the adapter is discovering devices now, for any client.
    package let isDiscovering: Bool
    package let classOfDevice: UInt32
    package let uuids: [BluetoothUUID]

    init(_ id: BlueZIdentifier, _ values: [String: DBusValue]) {
        self.id = id
        address = values["Address"]?.asString ?? ""
        addressKind =
            values["AddressType"]?.asString.flatMap { BluetoothDevice.AddressKind(rawValue: $0) } ?? .public
        name = values["Alias"]?.asString ?? values["Name"]?.asString ?? address
        isPowered = values["Powered"]?.asBool ?? false
        isBlocked = values["PowerState"]?.asString == "off-blocked"
        isDiscovering = values["Discovering"]?.asBool ?? false
        classOfDevice = values["Class"].unsigned() ?? 0
        uuids = values["UUIDs"].uuids
    }
}

extension DBusValue? {
    /// An integer that fits.
    func unsigned<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        self?.asInt64.flatMap { Number(exactly: $0) }
    }

    /// The ones that can be read, without repetition, in order.
    var uuids: [BluetoothUUID] {
        var seen: Set<BluetoothUUID> = []
        return (self?.asArray ?? []).compactMap { $0.asString.flatMap { BluetoothUUID($0) } }
            .filter { seen.insert($0).inserted }
    }

    var identifier: BlueZIdentifier? { self?.asString.map { BlueZIdentifier(rawValue: $0) } }
}

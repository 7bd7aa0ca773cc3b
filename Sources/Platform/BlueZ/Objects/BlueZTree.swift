import DBus

/// Everything bluetoothd shows, as of one moment.
package struct BlueZTree: Sendable, Equatable {
    typealias Interfaces = [String: [String: DBusValue]]

    private(set) var objects: [BlueZIdentifier: Interfaces] = [:]

    package init() {}

    init(_ objects: [BlueZIdentifier: Interfaces]) { self.objects = objects }

    // MARK: Reading

    /// All adapters, sorted by identifier: `hci0` comes first.
    package var adapters: [BluetoothAdapter] { all(BluetoothAdapter.interface) { BluetoothAdapter($0, $1) } }

    package func adapter(_ id: BlueZIdentifier) -> BluetoothAdapter? {
        objects[id]?[BluetoothAdapter.interface].map { BluetoothAdapter(id, $0) }
    }

    package var devices: [BluetoothDevice] { all(BluetoothDevice.interface) { BluetoothDevice($0, $1) } }

    package func device(_ id: BlueZIdentifier) -> BluetoothDevice? {
        objects[id]?[BluetoothDevice.interface].map { BluetoothDevice(id, $0) }
    }

    package func transports(of device: BlueZIdentifier) -> [BluetoothTransport] {
        all(BluetoothTransport.interface, under: device) { BluetoothTransport($0, $1) }
    }

    package func players(of device: BlueZIdentifier) -> [BluetoothPlayer] {
        all(BluetoothPlayer.interface, under: device) { BluetoothPlayer($0, $1) }
    }

    /// Returns a Boolean value that indicates whether AVRCP is connected (`org.bluez.MediaControl1`).
    package func hasRemoteControl(_ device: BlueZIdentifier) -> Bool {
        objects[device]?["org.bluez.MediaControl1"]?["Connected"]?.asBool ?? false
    }

    /// 0...100; `nil` if the device does not tell (`org.bluez.Battery1`).
    package func batteryLevel(of device: BlueZIdentifier) -> Int? {
        (objects[device]?["org.bluez.Battery1"]?["Percentage"]).unsigned(Int.self).map { min($0, 100) }
    }

    /// The services of a connected device, once ``BluetoothDevice/areServicesResolved``.
    package func services(of device: BlueZIdentifier) -> [BluetoothService] {
        all(BluetoothService.interface, under: device) { BluetoothService($0, $1) }
    }

    package func characteristics(of service: BlueZIdentifier) -> [BluetoothCharacteristic] {
        all(BluetoothCharacteristic.interface, under: service) { BluetoothCharacteristic($0, $1) }
    }

    package func characteristic(_ id: BlueZIdentifier) -> BluetoothCharacteristic? {
        objects[id]?[BluetoothCharacteristic.interface].flatMap { BluetoothCharacteristic(id, $0) }
    }

    package func descriptors(of characteristic: BlueZIdentifier) -> [BluetoothDescriptor] {
        all(BluetoothDescriptor.interface, under: characteristic) { BluetoothDescriptor($0, $1) }
    }

    package func contains(_ id: BlueZIdentifier) -> Bool { objects[id] != nil }

    /// The device that an object is, or is part of.
    package func device(owning id: BlueZIdentifier) -> BlueZIdentifier? {
        var parts = id.rawValue.split(separator: "/")
        while !parts.isEmpty {
            let candidate = BlueZIdentifier(rawValue: parts.map { "/" + $0 }.joined())
            if objects[candidate]?[BluetoothDevice.interface] != nil { return candidate }
            parts.removeLast()
        }
        return nil
    }

    private func all<Record>(
        _ interface: String, under owner: BlueZIdentifier? = nil,
        _ make: (BlueZIdentifier, [String: DBusValue]) -> Record?
    ) -> [Record] {
        var found: [(id: BlueZIdentifier, values: [String: DBusValue])] = []
        for (id, interfaces) in objects {
            guard let values = interfaces[interface], owner.map({ id.isPart(of: $0) }) ?? true else { continue }
            found.append((id, values))
        }
        return found.sorted { $0.id < $1.id }.compactMap { make($0.id, $0.values) }
    }

    // MARK: Changes; each returns the changed objects

    /// Takes a whole new state (`GetManagedObjects`).
    mutating func replace(with other: BlueZTree) -> Set<BlueZIdentifier> {
        var changed: Set<BlueZIdentifier> = []
        for (id, interfaces) in other.objects where objects[id] != interfaces { changed.insert(id) }
        for id in objects.keys where other.objects[id] == nil { changed.insert(id) }
        objects = other.objects
        return changed
    }

    mutating func add(_ id: BlueZIdentifier, _ interfaces: Interfaces) -> Set<BlueZIdentifier> {
        guard !interfaces.isEmpty else { return [] }
        objects[id, default: [:]].merge(interfaces) { $1 }
        return [id]
    }

    mutating func remove(_ id: BlueZIdentifier, _ interfaces: [String]) -> Set<BlueZIdentifier> {
        guard var left = objects[id] else { return [] }
        for interface in interfaces { left[interface] = nil }
        guard left != objects[id] else { return [] }
        objects[id] = left.isEmpty ? nil : left
        // An adapter that is pulled out takes its devices with it, told or not.
        guard interfaces.contains(BluetoothAdapter.interface) else { return [id] }
        let parts = objects.keys.filter { $0.isPart(of: id) }
        for part in parts { objects[part] = nil }
        return Set(parts).union([id])
    }

    mutating func change(
        _ id: BlueZIdentifier, _ interface: String, _ values: [String: DBusValue], invalidated: [String]
    ) -> Set<BlueZIdentifier> {
        guard var known = objects[id]?[interface] else { return [] }
        known.merge(values) { $1 }
        for name in invalidated { known[name] = nil }
        // bluetoothd 5.66 doesn't report that an LE device is connected if it knows before the kernel says so. Only a
        // connected device has services, and their loss is always reported.
        if interface == BluetoothDevice.interface, values["ServicesResolved"]?.asBool == true {
            known["Connected"] = .boolean(true)
        }
        guard known != objects[id]?[interface] else { return [] }
        objects[id]?[interface] = known
        return [id]
    }
}

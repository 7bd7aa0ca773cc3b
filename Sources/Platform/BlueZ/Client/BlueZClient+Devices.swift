import DBus

extension BlueZClient {
    /// bluetoothd itself gives up an attempt to connect after some 20 s.
    private static let connectingLimit = Duration.seconds(60)

    /// Forgets a device with its keys, on every adapter; it is found again only by a scan.
    ///
    /// What the tree says about it is up to date from then on.
    ///
    /// - Throws: ``BlueZError``, `failed` where bluetoothd says that it did and did not.
    package func forget(address: String) async throws(BlueZError) {
        try await whileRunning { () async throws(BlueZError) in
            // Also what is not shown as paired: bluetoothd shows that once it knows the device's services, and the keys are there
            // before.
            for device in self.tree.devices where device.address == address { try await self.forget(device) }
        }
    }

    private func forget(_ device: BluetoothDevice) async throws(BlueZError) {
        do throws(BlueZError) {
            try await remove(device.id, from: device.adapter)
            // It answers before it takes away what had to be disconnected first. What it says after that is behind its signals.
            guard try await facts(of: device.id)?.isPaired != true else {
                throw BlueZError(.failed, "bluetoothd keeps the device.")
            }
        } catch {
            guard error.code == .noSuchDevice else { throw error }
        }
    }

    func remove(_ device: BlueZIdentifier, from adapter: BlueZIdentifier) async throws(BlueZError) {
        try await call(adapter, BluetoothAdapter.interface, "RemoveDevice", [.objectPath(device.rawValue)])
    }

    /// The device as bluetoothd has it now, which its signals may not tell yet; `nil` where it does not know it.
    func facts(of device: BlueZIdentifier) async throws(BlueZError) -> BluetoothDevice? {
        do throws(BlueZError) {
            let reply = try await call(
                device, "org.freedesktop.DBus.Properties", "GetAll", [.string(BluetoothDevice.interface)])
            return reply.first?.asDictionary.map { BluetoothDevice(device, $0) }
        } catch {
            guard error.code == .noSuchDevice else { throw error }
            return nil
        }
    }

    // MARK: Devices

    /// Connects all profiles that both sides have.
    package func connect(_ device: BlueZIdentifier) async throws(BlueZError) {
        try await call(device, BluetoothDevice.interface, "Connect", timeout: Self.connectingLimit)
    }

    package func disconnect(_ device: BlueZIdentifier) async throws(BlueZError) {
        try await call(device, BluetoothDevice.interface, "Disconnect")
    }

    /// Whether the device may connect by itself without anybody being asked.
    package func setTrusted(_ isTrusted: Bool, _ device: BlueZIdentifier) async throws(BlueZError) {
        try await write(device, BluetoothDevice.interface, "Trusted", .boolean(isTrusted))
    }

    // MARK: Media

    /// Sets the absolute volume of the device, 0...127; the device says in the tree what came of it.
    package func setVolume(_ volume: Int, _ transport: BlueZIdentifier) async throws(BlueZError) {
        try await write(
            transport, BluetoothTransport.interface, "Volume", .uint16(UInt16(min(max(volume, 0), 127))))
    }

    // MARK: Calling

    @discardableResult
    func call(
        _ id: BlueZIdentifier, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(25)
    ) async throws(BlueZError) -> [DBusValue] {
        try await whileRunning { () async throws(BlueZError) -> [DBusValue] in
            guard let connection = self.connection else { throw BlueZError(.notRunning, "bluetoothd is gone.") }
            do throws(DBusError) {
                return try await connection.call(
                    Self.service, path: id.rawValue, interface: interface, member: member, arguments, timeout: timeout)
            } catch {
                throw BlueZError(error)
            }
        }
    }

    private func write(
        _ id: BlueZIdentifier, _ interface: String, _ property: String, _ value: DBusValue
    ) async throws(BlueZError) {
        try await call(
            id, "org.freedesktop.DBus.Properties", "Set", [.string(interface), .string(property), .variant(value)])
    }

    /// Runs `body` with bluetoothd there, and the connection kept.
    func whileRunning<Value: Sendable>(
        _ body: () async throws(BlueZError) -> Value
    ) async throws(BlueZError) -> Value {
        retain()
        defer { release() }
        if state == .connecting { _ = await current() }
        if Task.isCancelled { throw BlueZError(.cancelled, "cancelled") }
        if case .unavailable(let error) = state { throw error }
        guard state == .running else { throw BlueZError(.notRunning, "bluetoothd is not running.") }
        return try await body()
    }
}

import DBus

extension BlueZClient {
    /// bluetoothd itself gives up an attempt to connect after some 20 s, and a person who is asked after 60 s.
    private static let pairingLimit = Duration.seconds(120)
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
            try await call(
                device.adapter, BluetoothAdapter.interface, "RemoveDevice", [.objectPath(device.id.rawValue)])
            // It answers before it takes away what had to be disconnected first. What it says after that is behind its signals.
            let value = try await call(
                device.id, "org.freedesktop.DBus.Properties", "Get",
                [.string(BluetoothDevice.interface), .string("Paired")])
            guard value.first?.unwrapped.asBool != true else {
                throw BlueZError(.failed, "bluetoothd keeps the device.")
            }
        } catch {
            guard error.code == .noSuchDevice else { throw error }
        }
    }

    // MARK: Devices

    /// Pairs a device, which stays known from then on.
    ///
    /// Cancelling the task cancels the pairing.
    /// - Parameter answer: Asked for each challenge; its task is cancelled when the device does not wait any longer.
    package func pair(
        _ device: BlueZIdentifier,
        answer: @escaping @Sendable (BluetoothPairingChallenge) async -> BluetoothPairingAnswer
    ) async throws(BlueZError) {
        try await whileRunning { () async throws(BlueZError) in
            guard let agent = self.agent else { throw BlueZError(.notRunning, "bluetoothd is gone.") }
            guard await agent.begin(device, answer) else {
                throw BlueZError(.inProgress, "The device is being paired already.")
            }
            let failure: BlueZError?
            do throws(BlueZError) {
                try await self.call(device, BluetoothDevice.interface, "Pair", timeout: Self.pairingLimit)
                failure = nil
            } catch {
                failure = error
            }
            await agent.end(device)
            guard let failure else { return }
            if failure.code == .cancelled || failure.code == .timedOut {
                // In a task of its own, as a cancelled one calls nobody.
                await Task { _ = try? await self.call(device, BluetoothDevice.interface, "CancelPairing") }.value
            }
            throw failure
        }
    }

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

import DBus

extension BlueZClient {
    /// The way a value is written (Core 3.G, 4.9).
    package enum WriteKind: String, Sendable {
        /// With a response of the device.
        case request
        /// Without a response.
        case command
    }

    /// Reads a characteristic or a descriptor.
    ///
    /// - Returns: At most 512 bytes. It is also in the tree then.
    package func readValue(_ id: BlueZIdentifier) async throws(BlueZError) -> [UInt8] {
        let reply = try await call(id, interface(of: id), "ReadValue", [.properties([:])])
        return reply.first?.asBytes ?? []
    }

    /// Writes a characteristic or a descriptor.
    ///
    /// - Parameter kind: The kind of write for a characteristic.
    package func writeValue(
        _ value: [UInt8], _ id: BlueZIdentifier, _ kind: WriteKind = .request
    ) async throws(BlueZError) {
        let options: [String: DBusValue] =
            tree.characteristic(id) == nil ? [:] : ["type": .string(kind.rawValue)]
        try await call(id, interface(of: id), "WriteValue", [.bytes(value), .properties(options)])
    }

    /// Returns every notified value of a characteristic from now on, and also values that are read.
    ///
    /// Ends with the connection to the device. Releasing the last stream of a characteristic stops the notifications.
    package func values(of characteristic: BlueZIdentifier) async throws(BlueZError) -> AsyncStream<[UInt8]> {
        try await whileRunning { () async throws(BlueZError) in
            guard self.tree.characteristic(characteristic) != nil else {
                throw BlueZError(.noSuchDevice, "The device has no such value, or is not connected.")
            }
            let number = self.nextNumber()
            let (stream, feed) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1024))
            self.notifications[characteristic, default: [:]][number] = feed
            self.retain()
            feed.onTermination = { [weak self] _ in
                Task { [weak self] in await self?.endValues(characteristic, number) }
            }
            do throws(BlueZError) {
                try await self.call(characteristic, BluetoothCharacteristic.interface, "StartNotify")
                return stream
            } catch {
                feed.finish()
                throw error
            }
        }
    }

    private func endValues(_ characteristic: BlueZIdentifier, _ number: Int) async {
        if notifications[characteristic]?.removeValue(forKey: number) != nil,
            notifications[characteristic]?.isEmpty == true
        {
            notifications[characteristic] = nil
            // A removed device has no notifications to stop.
            _ = try? await call(characteristic, BluetoothCharacteristic.interface, "StopNotify")
        }
        release()
    }

    private func interface(of id: BlueZIdentifier) -> String {
        tree.characteristic(id) == nil ? BluetoothDescriptor.interface : BluetoothCharacteristic.interface
    }

    /// Each value counts, also the same again; the tree has only the last one.
    func deliverNotification(_ signal: DBusSignal) {
        guard !notifications.isEmpty, signal.member == "PropertiesChanged", signal.arguments.count == 3,
            signal.arguments[0].asString == BluetoothCharacteristic.interface,
            let value = signal.arguments[1].asDictionary?["Value"]?.asBytes,
            let readers = notifications[BlueZIdentifier(rawValue: signal.path)]
        else { return }
        for feed in readers.values { feed.yield(value) }
    }

    /// Ends the streams of characteristics that no longer exist.
    func endNotifications() {
        for (id, readers) in notifications where tree.characteristic(id) == nil {
            for feed in readers.values { feed.finish() }
        }
    }
}

import DBus

extension BlueZClient {
    /// An inquiry takes 10 s, and may miss a device.
    private static let searchLimit = Duration.seconds(30)

    /// Looks for devices on every adapter that is powered, now or later, until the scan is ended or let go.
    ///
    /// However many scan, bluetoothd is asked once, with a filter that serves all: ``BlueZScanFilter/lets(_:)`` says which
    /// of the devices found are for this one.
    package func scan(_ filter: BlueZScanFilter) -> BlueZScan {
        let number = nextNumber()
        plan.add(number, filter)
        retain()
        advanceScans()
        return BlueZScan { [weak self] in
            Task { [weak self] in await self?.endScan(number) }
        }
    }

    /// Looks for one device, and returns whether bluetoothd knows it.
    ///
    /// bluetoothd forgets a device without a bond 30 s after it was last seen (`TemporaryTimeout`), for instance while a
    /// person looks up the code.
    func find(_ device: BlueZIdentifier) async -> Bool {
        let scan = scan(BlueZScanFilter())
        defer { scan.end() }
        let search = Task {
            for await update in updates() where update.tree.device(device) != nil { return true }
            return false
        }
        let limit = Task { [clock] in
            try? await clock.sleep(for: Self.searchLimit)
            search.cancel()
        }
        defer { limit.cancel() }
        return await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            search.cancel()
        }
    }

    private func endScan(_ number: Int) async {
        plan.remove(number)
        advanceScans()
        // The connection, and with it bluetoothd's scan, ends with its last user, but others may remain.
        await planning?.value
        release()
    }

    /// Sends the changes to the adapters, one after the other.
    func advanceScans() {
        guard planning == nil, state == .running else { return }
        planning = Task { [weak self] in await self?.carryOutPlan() }
    }

    private func carryOutPlan() async {
        while !Task.isCancelled, state == .running,
            let step = plan.next(tree.adapters.filter(\.isPowered).map(\.id))
        {
            let succeeded: Bool
            do throws(BlueZError) {
                try await tell(step)
                succeeded = true
            } catch {
                succeeded = false
            }
            plan.finish(step, succeeded: succeeded)
        }
        if !Task.isCancelled { planning = nil }
    }

    private func tell(_ step: ScanPlan.Step) async throws(BlueZError) {
        switch step {
        case .setFilter(let adapter, let filter):
            var values: [String: DBusValue] = [
                "Transport": .string(filter.transport.rawValue), "DuplicateData": .boolean(filter.reportsDuplicates),
            ]
            if !filter.uuids.isEmpty { values["UUIDs"] = .strings(filter.uuids.sorted().map(\.description)) }
            if let weakest = filter.weakestSignal { values["RSSI"] = .int16(weakest) }
            try await call(adapter, BluetoothAdapter.interface, "SetDiscoveryFilter", [.properties(values)])
        case .start(let adapter): try await call(adapter, BluetoothAdapter.interface, "StartDiscovery")
        case .stop(let adapter): try await call(adapter, BluetoothAdapter.interface, "StopDiscovery")
        }
    }
}

import DBus

extension BlueZClient {
    /// A person who is asked has 60 s.
    private static let pairingLimit = Duration.seconds(120)

    /// Pairs a device, which stays known from then on.
    ///
    /// Cancelling the task cancels the pairing. An attempt that fails leaves no bond: the device is disconnected, and removed
    /// if it has keys that it had not before. A device that bluetoothd has forgotten is looked for first, for 30 s.
    /// - Parameter answer: Asked for each challenge; its task is cancelled when the device does not wait any longer.
    /// - Throws: ``BlueZError``; `failed` where bluetoothd keeps the bond of a failed attempt.
    package func pair(
        _ device: BlueZIdentifier,
        answer: @escaping @Sendable (BluetoothPairingChallenge) async -> BluetoothPairingAnswer
    ) async throws(BlueZError) {
        do throws(BlueZError) {
            try await attemptPairing(device, answer)
        } catch {
            guard error.code == .noSuchDevice else { throw error }
            guard await find(device) else { throw Task.isCancelled ? BlueZError(.cancelled, "cancelled") : error }
            try await attemptPairing(device, answer)
        }
    }

    private func attemptPairing(
        _ device: BlueZIdentifier,
        _ answer: @escaping @Sendable (BluetoothPairingChallenge) async -> BluetoothPairingAnswer
    ) async throws(BlueZError) {
        try await whileRunning { () async throws(BlueZError) in
            guard let agent = self.agent else { throw BlueZError(.notRunning, "bluetoothd is gone.") }
            guard await agent.begin(device, answer) else {
                throw BlueZError(.inProgress, "The device is being paired already.")
            }
            let earlier = await self.shown(as: device).filter(\.hasKeys).map(\.id)
            let failure: BlueZError?
            do throws(BlueZError) {
                try await self.call(device, BluetoothDevice.interface, "Pair", timeout: Self.pairingLimit)
                // Nobody is there any more to be told of a success.
                failure = Task.isCancelled ? BlueZError(.cancelled, "cancelled") : nil
            } catch {
                failure = error
            }
            await agent.end(device)
            guard let failure else { return }
            try await self.withdraw(device, keeping: earlier, after: failure)
            throw failure
        }
    }

    /// Takes back a pairing that succeeded, where what follows it failed.
    package func unpair(_ device: BlueZIdentifier) async throws(BlueZError) {
        try await whileRunning { () async throws(BlueZError) in
            try await self.withdraw(device, keeping: [], after: BlueZError(.cancelled, "cancelled"))
        }
    }

    private func withdraw(
        _ device: BlueZIdentifier, keeping earlier: [BlueZIdentifier], after failure: BlueZError
    ) async throws(BlueZError) {
        switch failure.code {
        // The attempt of another program, or a bond from before.
        case .inProgress, .alreadyPaired: return
        case .noSuchDevice, .notRunning, .noSystemBus, .accessDenied, .noAdapter, .invalidArguments: return
        default: break
        }
        // In a task of its own, as a cancelled one calls nobody.
        let isClean = await Task {
            _ = try? await call(device, BluetoothDevice.interface, "CancelPairing")
            var isClean = true
            for shown in await shown(as: device) where !earlier.contains(shown.id) {
                isClean = await withdraw(shown) && isClean
            }
            return isClean
        }.value
        guard isClean else {
            throw BlueZError(
                .failed,
                "Pairing failed (\(failure.message)), and bluetoothd keeps the bond. Remove it with `bluetoothctl`.")
        }
    }

    private func withdraw(_ device: BluetoothDevice) async -> Bool {
        var withdrawal = PairingWithdrawal()
        while true {
            let facts: BluetoothDevice?
            do throws(BlueZError) { facts = try await self.facts(of: device.id) } catch { return false }
            switch withdrawal.next(facts.map { PairingWithdrawal.Facts($0) }) {
            case .disconnect: _ = try? await disconnect(device.id)
            case .remove: _ = try? await remove(device.id, from: device.adapter)
            case .end(let isClean): return isClean
            }
        }
    }

    /// The device, and the others of its adapter with the same address: once one with privacy tells its lasting address,
    /// an older object may have that, too, and bluetoothd counts the bond for the first of them.
    private func shown(as device: BlueZIdentifier) async -> [BluetoothDevice] {
        guard let facts = try? await facts(of: device) else { return [] }
        var found = [facts]
        for other in tree.devices
        where other.id != device && other.adapter == facts.adapter && other.address == facts.address {
            if let other = try? await self.facts(of: other.id) { found.append(other) }
        }
        return found
    }
}

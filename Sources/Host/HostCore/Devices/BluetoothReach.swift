import HostInterface

/// The Bluetooth devices in reach, and the state of the scan that finds them.
struct BluetoothReach {
    enum Scan {
        /// The scan hasn't started, or can't.
        case none
        case underWay
        /// Its devices are listed, as long as the list is good.
        case complete
    }

    private(set) var scan = Scan.none
    private var presence = BluetoothPresence()
    /// Grace periods of devices whose signal is gone, by address.
    private var silences: [String: Task<Void, Never>] = [:]
    /// Ends the validity of the scan's results.
    private var ageing: Task<Void, Never>?

    /// As of ``BluetoothPresence/isThere(_:)``.
    func isThere(_ endpoints: [String]) -> Bool? { presence.isThere(endpoints) }

    /// As of ``BluetoothPresence/isFading(_:)``.
    func isFading(_ address: String) -> Bool { presence.isFading(address) }

    // MARK: Scan

    /// - Returns: `true` if a scan begins, which takes longer than other searches.
    mutating func note(_ answer: BluetoothAnswer, isLooking: Bool) -> Bool {
        switch answer.kind {
        case .ready where scan == .none && isLooking:
            scan = .underWay
            return true
        case .waiting, .failed: scan = .none
        default: break
        }
        return false
    }

    /// The discovery is complete, with the scan if that was under way.
    mutating func settle() { if scan == .underWay { scan = .complete } }

    /// The discovery ends; the result of a complete scan stays good for a while.
    ///
    /// - Parameter wait: A function that starts to wait, and then calls ``expire()``.
    mutating func endLook(_ wait: () -> Task<Void, Never>) {
        guard scan == .complete else { return scan = .none }
        ageing = wait()
    }

    mutating func expire() { scan = .none }

    /// A discovery begins.
    func renew() { ageing?.cancel() }

    // MARK: Devices

    /// Applies a report about a device.
    ///
    /// - Returns: The addresses whose presence is certain now, and those that are silent from now on.
    mutating func apply(_ answer: BluetoothAnswer) -> (certain: [String], silent: [String]) {
        let addresses = presence.apply(answer)
        for address in addresses { silences.removeValue(forKey: address)?.cancel() }
        let silent = addresses.filter { presence.isFading($0) }
        return (addresses.subtracting(silent).sorted(), silent.sorted())
    }

    /// - Parameter task: Waits, and then calls ``silenceEnded(_:)``.
    mutating func beginSilence(of address: String, _ task: Task<Void, Never>) { silences[address] = task }

    mutating func silenceEnded(_ address: String) {
        silences[address] = nil
        presence.expire(address)
    }

    /// Drops all sightings: a new browse reports everything again.
    mutating func forgetSightings() {
        for task in silences.values { task.cancel() }
        silences = [:]
        presence = BluetoothPresence()
    }

    func endAll() {
        ageing?.cancel()
        for task in silences.values { task.cancel() }
    }
}

/// Which devices this program pairs, and what they wait for.
struct PairingTable {
    private struct Entry {
        /// Counts up with each challenge, so that what is answered late answers nothing.
        var round = 0
        var isWaiting = false
    }

    private var entries: [BlueZIdentifier: Entry] = [:]

    func isPairing(_ device: BlueZIdentifier) -> Bool { entries[device] != nil }

    /// - Returns: Whether it was not being paired before.
    mutating func begin(_ device: BlueZIdentifier) -> Bool {
        guard entries[device] == nil else { return false }
        entries[device] = Entry()
        return true
    }

    mutating func end(_ device: BlueZIdentifier) { entries[device] = nil }

    /// A device wants something.
    ///
    /// - Returns: The number of the challenge; `nil` for a device that nobody here pairs.
    mutating func ask(_ device: BlueZIdentifier) -> Int? {
        guard entries[device] != nil else { return nil }
        entries[device]?.round += 1
        entries[device]?.isWaiting = true
        return entries[device]?.round
    }

    /// - Returns: Whether the device still waits for this answer.
    mutating func answer(_ device: BlueZIdentifier, round: Int) -> Bool {
        guard let entry = entries[device], entry.isWaiting, entry.round == round else { return false }
        entries[device]?.isWaiting = false
        return true
    }

    /// bluetoothd takes back what it asked (`Cancel`, which does not say for which device: it asks one thing at a time).
    ///
    /// - Returns: The devices that no longer wait.
    mutating func cancel() -> [BlueZIdentifier] {
        let waiting = entries.filter(\.value.isWaiting).map(\.key)
        for device in waiting { entries[device]?.isWaiting = false }
        return waiting.sorted()
    }
}

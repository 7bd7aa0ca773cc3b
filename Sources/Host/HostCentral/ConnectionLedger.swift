import BlueZ

/// The number of users of each connected device.
///
/// A device that was connected before belongs to another program, and stays connected.
actor ConnectionLedger {
    private struct Entry {
        var users = 0
        var isOurs: Bool
    }

    private var entries: [BlueZIdentifier: Entry] = [:]

    func retain(_ device: BlueZIdentifier, wasConnected: Bool) {
        entries[device, default: Entry(isOurs: !wasConnected)].users += 1
    }

    /// - Returns: Whether to disconnect the device.
    func release(_ device: BlueZIdentifier) -> Bool {
        guard var entry = entries[device] else { return false }
        entry.users -= 1
        entries[device] = entry.users > 0 ? entry : nil
        return entry.users == 0 && entry.isOurs
    }
}

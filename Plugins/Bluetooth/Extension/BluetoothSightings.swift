import PlaybackKit

/// One device as each adapter of the machine knows it: they share neither bonds nor connections.
struct BluetoothSightings {
    private var all: [BluetoothAudioDevice.ID: BluetoothAudioDevice] = [:]

    /// The device to use: connected before paired before discovered, and always the same of equal ones.
    var best: BluetoothAudioDevice? {
        func rank(_ device: BluetoothAudioDevice) -> Int {
            device.isConnected ? 3 : device.isPaired ? 2 : device.signalStrength != nil ? 1 : 0
        }
        return all.values.max { (rank($0), $1.id) < (rank($1), $0.id) }
    }

    func contains(_ id: BluetoothAudioDevice.ID) -> Bool { all[id] != nil }
    mutating func set(_ device: BluetoothAudioDevice) { all[device.id] = device }
    mutating func remove(_ id: BluetoothAudioDevice.ID) { all[id] = nil }
}

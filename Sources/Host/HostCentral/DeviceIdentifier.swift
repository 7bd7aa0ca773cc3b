import BlueZ

/// The identifier of a device for extensions: a UUID that contains its address, the same at any time and on any
/// controller.
enum DeviceIdentifier {
    /// The prefix of the UUIDs, of version 8 (RFC 9562), whose content is ours to define.
    private static let prefix: [UInt8] = [0x6D, 0x64, 0x68, 0x6F, 0x73, 0x74, 0x80, 0x62, 0x80, 0x74]

    static func make(_ device: BluetoothDevice) -> String? {
        let address = device.address.split(separator: ":").compactMap { UInt8($0, radix: 16) }
        guard address.count == 6 else { return nil }
        let digits = (prefix + address).map { byte in
            String(byte >> 4, radix: 16, uppercase: true) + String(byte & 0xF, radix: 16, uppercase: true)
        }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Returns the device on a controller that is connected to it or discovers it; otherwise on any.
    static func find(_ identifier: String, in tree: BlueZTree) -> BluetoothDevice? {
        let devices = tree.devices.filter { make($0) == identifier }
        return devices.first { $0.isConnected } ?? devices.first { $0.signalStrength != nil } ?? devices.first
    }
}

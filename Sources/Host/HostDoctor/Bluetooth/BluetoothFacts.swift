import KernelBluetooth

package struct BluetoothFacts: Sendable, Hashable, Codable {
    /// One of the kernel's, as it is without bluetoothd.
    package struct Controller: Sendable, Hashable, Codable {
        /// `hci0`.
        package var name: String
        package var isUp: Bool
        /// What keeps it silent; `nil` for nothing.
        package var block: RadioBlock?

        package init(name: String, isUp: Bool = true, block: RadioBlock? = nil) {
            self.name = name
            self.isUp = isUp
            self.block = block
        }
    }

    package var controllers: [Controller] = []
    /// Whether bluetoothd is on the system bus; `nil` where that could not be asked.
    package var isServiceRunning: Bool?
    /// Why the kernel could not be asked.
    package var failure: String?

    package init() {}
}

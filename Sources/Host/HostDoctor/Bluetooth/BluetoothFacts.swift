package import KernelBluetooth

package struct BluetoothFacts: Sendable, Hashable, Codable {
    /// A controller as the kernel reports it, without bluetoothd.
    package struct Controller: Sendable, Hashable, Codable {
        /// `hci0`.
        package var name: String
        package var isUp: Bool
        /// The block of the radio; `nil` for none.
        package var block: RadioBlock?

        package init(name: String, isUp: Bool = true, block: RadioBlock? = nil) {
            self.name = name
            self.isUp = isUp
            self.block = block
        }
    }

    package var controllers: [Controller] = []
    /// A Boolean value that indicates whether bluetoothd is on the system bus; `nil` if that couldn't be queried.
    package var isServiceRunning: Bool?
    /// The reason that the kernel couldn't be queried.
    package var failure: String?

    package init() {}
}

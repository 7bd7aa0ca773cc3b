/// A Bluetooth controller (radio) of the kernel.
package struct BluetoothController: Sendable, Hashable {
    /// `hci0`.
    package var name: String
    /// `00:11:22:AA:BB:CC`; `nil` if the kernel does not know it, as it may not before the controller is up.
    package var address: String?
    /// A Boolean value that indicates whether the controller is switched on.
    package var isUp: Bool
    /// The block that keeps it from being switched on; `nil` if there is none.
    package var block: RadioBlock?

    package init(name: String, address: String? = nil, isUp: Bool, block: RadioBlock? = nil) {
        self.name = name
        self.address = address
        self.isUp = isUp
        self.block = block
    }
}

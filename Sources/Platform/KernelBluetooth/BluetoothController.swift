/// One radio.
package struct BluetoothController: Sendable, Hashable {
    /// `hci0`.
    package var name: String
    /// `00:11:22:AA:BB:CC`; `nil` where the kernel does not know it, as it may not before the controller is up.
    package var address: String?
    /// Whether somebody switched it on.
    package var isUp: Bool
    /// What keeps it from being switched on; `nil` for nothing.
    package var block: RadioBlock?

    package init(name: String, address: String? = nil, isUp: Bool, block: RadioBlock? = nil) {
        self.name = name
        self.address = address
        self.isUp = isUp
        self.block = block
    }
}

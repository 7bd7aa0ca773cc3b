/// The identifier of an object in bluetoothd: an adapter, a device or a part of a device.
///
/// Stable as long as bluetoothd knows the object, and the same again when the same adapter finds the object anew.
package struct BlueZIdentifier: RawRepresentable, Sendable, Hashable, Comparable {
    /// `/org/bluez/hci0/dev_00_11_22_33_44_55`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

    /// Returns whether the object is below `other` in the tree, as a device is below its adapter.
    package func isPart(of other: BlueZIdentifier) -> Bool { rawValue.hasPrefix(other.rawValue + "/") }
}

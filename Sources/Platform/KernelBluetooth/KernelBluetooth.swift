import CBluetooth
import Glibc

/// The kernel's view of Bluetooth, independent of bluetoothd.
package struct KernelBluetooth: Sendable, Hashable {
    /// The controllers by number: `hci0` first. Empty also if the kernel has no Bluetooth support.
    package var controllers: [BluetoothController]
    /// The reason the kernel couldn't be queried, one clause; `nil` on success.
    package var failure: String?

    package init(controllers: [BluetoothController], failure: String? = nil) {
        self.controllers = controllers
        self.failure = failure
    }

    /// Queries the kernel. Needs no privileges, returns at once and changes no state.
    package static func current() -> KernelBluetooth {
        let control = bluetooth_control_socket()
        guard control >= 0 else {
            // The kernel has no Bluetooth support or its module isn't loaded. That is a machine without Bluetooth, not
            // an error.
            let isAbsent = [EAFNOSUPPORT, EPROTONOSUPPORT].contains(errno)
            return KernelBluetooth(controllers: [], failure: isAbsent ? nil : reason())
        }
        defer { close(control) }
        var numbers = [UInt16](repeating: 0, count: Int(bluetooth_most_controllers))
        let count = bluetooth_controllers(control, &numbers)
        guard count >= 0 else { return KernelBluetooth(controllers: [], failure: reason()) }
        let controllers = numbers.prefix(Int(count)).sorted().compactMap { number -> BluetoothController? in
            var information = hci_dev_info()
            // The controller was removed meanwhile.
            guard bluetooth_controller(control, number, &information) == 0 else { return nil }
            return BluetoothController(information)
        }
        return KernelBluetooth(controllers: controllers)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

extension BluetoothController {
    fileprivate init(_ information: hci_dev_info) {
        let name = "hci\(information.dev_id)"
        self.init(
            name: name, address: withUnsafeBytes(of: information.bdaddr) { Self.address(Array($0)) },
            isUp: information.flags & bluetooth_flag_up != 0, block: RadioBlock.read(ofController: name))
    }

    /// - Parameter bytes: The lowest first, as the kernel has them.
    /// - Returns: `nil` for that of a controller that was never up.
    static func address(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return bytes.reversed().map {
            let digits = String($0, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}

import CBluetooth
import Glibc

/// What the kernel knows of Bluetooth, whether or not bluetoothd runs.
package struct KernelBluetooth: Sendable, Hashable {
    /// By number: `hci0` first. Empty also where the kernel has no Bluetooth at all.
    package var controllers: [BluetoothController]
    /// Why the kernel could not be asked, one clause; `nil` where it could.
    package var failure: String?

    package init(controllers: [BluetoothController], failure: String? = nil) {
        self.controllers = controllers
        self.failure = failure
    }

    /// Asks the kernel; takes no right and no time, and changes nothing.
    package static func current() -> KernelBluetooth {
        let control = bluetooth_control_socket()
        guard control >= 0 else {
            // Not built, or its module is not there: a machine without Bluetooth, and nothing wrong with it.
            let isAbsent = [EAFNOSUPPORT, EPROTONOSUPPORT].contains(errno)
            return KernelBluetooth(controllers: [], failure: isAbsent ? nil : reason())
        }
        defer { close(control) }
        var numbers = [UInt16](repeating: 0, count: Int(bluetooth_most_controllers))
        let count = bluetooth_controllers(control, &numbers)
        guard count >= 0 else { return KernelBluetooth(controllers: [], failure: reason()) }
        let controllers = numbers.prefix(Int(count)).sorted().compactMap { number -> BluetoothController? in
            var information = hci_dev_info()
            // One that went meanwhile is not there.
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

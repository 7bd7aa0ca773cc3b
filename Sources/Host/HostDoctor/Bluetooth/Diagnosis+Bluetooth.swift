import KernelBluetooth

/// The rules for Bluetooth. Each requires that the problems of earlier rules are fixed.
extension Diagnosis {
    static func bluetooth(_ facts: Facts) -> [Finding] {
        let bluetooth = facts.bluetooth
        if let failure = bluetooth.failure {
            return [
                Finding(
                    .bluetooth, .warning, "bluetooth-unknown", "The kernel does not tell of Bluetooth: \(failure).",
                    remedy: "Where this is a container or a sandbox, allow it Bluetooth sockets.")
            ]
        }
        guard !bluetooth.controllers.isEmpty else {
            return [
                Finding(
                    .bluetooth, .note, "no-bluetooth-controller",
                    "This machine has no Bluetooth controller, so no Bluetooth device can be found.",
                    remedy:
                        "To use them, plug in an adapter; if there is one, `dmesg | grep -i bluetooth` says what it lacks."
                )
            ]
        }
        return bluetooth.controllers.map { finding($0, isServiceRunning: bluetooth.isServiceRunning) }
            + [service(bluetooth)].compactMap(\.self)
    }

    private static func finding(_ controller: BluetoothFacts.Controller, isServiceRunning: Bool?) -> Finding {
        switch controller.block {
        case .hardware:
            Finding(
                .bluetooth, .warning, "bluetooth-switched-off",
                "\(controller.name) is switched off at the computer (rfkill, hard).",
                remedy: "Use the switch or the key for wireless, or the firmware's settings.")
        case .software:
            Finding(
                .bluetooth, .warning, "bluetooth-blocked", "\(controller.name) is blocked by a program (rfkill, soft).",
                remedy: "`rfkill unblock bluetooth`, or end the desktop's flight mode.")
        // Without bluetoothd the controller is down because no program switches it on.
        case nil where !controller.isUp && isServiceRunning == true:
            Finding(
                .bluetooth, .warning, "bluetooth-off", "\(controller.name) is powered off.",
                remedy: "`bluetoothctl power on`, or switch Bluetooth on in the desktop's settings.")
        case nil: Finding(.bluetooth, .fine, "bluetooth", "\(controller.name) is ready.")
        }
    }

    private static func service(_ bluetooth: BluetoothFacts) -> Finding? {
        switch bluetooth.isServiceRunning {
        case true: nil
        case false:
            Finding(
                .bluetooth, .warning, "no-bluetoothd",
                "bluetoothd does not run: Bluetooth devices are neither found nor connected.",
                remedy: "`sudo apt install bluez`, then `sudo systemctl enable --now bluetooth`.")
        case nil:
            Finding(
                .bluetooth, .warning, "no-system-bus",
                "No system bus, so mdhost can't reach bluetoothd and discovers no Bluetooth devices.",
                remedy: "`sudo apt install dbus`; in a container, let it have /run/dbus/system_bus_socket.")
        }
    }
}

import DBus
import KernelBluetooth

/// Reads the state of Bluetooth on this machine from the kernel and the system, in addition to bluetoothd.
enum BluetoothReading {
    static func current() async -> BluetoothFacts {
        let kernel = KernelBluetooth.current()
        var facts = BluetoothFacts()
        facts.controllers = kernel.controllers.map { .init(name: $0.name, isUp: $0.isUp, block: $0.block) }
        facts.failure = kernel.failure
        facts.isServiceRunning = await isServiceRunning()
        return facts
    }

    private static func isServiceRunning() async -> Bool? {
        let connection = DBusConnection(loop: DBusLoop(label: "mdhost.doctor.bluetooth"))
        do throws(DBusError) {
            try await connection.openSystemBus()
            let answer = try await connection.call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "NameHasOwner", [.string("org.bluez")], timeout: .seconds(3))
            await connection.close()
            return answer.first?.asBool
        } catch {
            await connection.close()
            return nil
        }
    }
}

import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZTreeTests {
    private final class Model {
        private(set) var value: BlueZTree
        init(_ value: BlueZTree) { self.value = value }
        func apply(_ signal: DBusSignal) -> Set<BlueZIdentifier> { value.apply(signal) }
        func replace(with other: BlueZTree) -> Set<BlueZIdentifier> { value.replace(with: other) }
    }

    private let adapter = BlueZIdentifier(rawValue: "/org/bluez/hci0")
    private let device = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_00_11_22_33_44_55")
    private let transport = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_00_11_22_33_44_55/fd0")

    private var tree: BlueZTree {
        BlueZTree([
            adapter: [BluetoothAdapter.interface: ["Powered": .boolean(true), "Alias": .string("desk")]],
            device: [
                BluetoothDevice.interface: [
                    "Address": .string("00:11:22:33:44:55"), "Alias": .string("Kitchen"), "RSSI": .int16(-40),
                    "UUIDs": .strings(["0000110B-0000-1000-8000-00805F9B34FB", "nonsense"]),
                ],
                "org.bluez.Battery1": ["Percentage": .byte(77)],
            ],
            transport: [
                BluetoothTransport.interface: [
                    "Device": .objectPath(device.rawValue), "Volume": .uint16(64), "State": .string("active"),
                ]
            ],
        ])
    }

    private func signal(_ interface: String, _ member: String, _ arguments: [DBusValue], at path: String = "/")
        -> DBusSignal
    {
        DBusSignal(
            sender: ":1.2", path: path, interface: "org.freedesktop.DBus." + interface, member: member,
            arguments: arguments)
    }

    @Test func objectsAreReadByWhatTheyAre() {
        #expect(tree.adapters.map(\.name) == ["desk"])
        let found = tree.devices.first
        #expect(found?.alias == "Kitchen")
        #expect(found?.adapter == adapter)
        #expect(found?.uuids == [.audioSink])
        #expect(found?.signalStrength == -40)
        #expect(tree.batteryLevel(of: device) == 77)
        #expect(tree.transports(of: device).first?.volume == 64)
        #expect(tree.transports(of: device).first?.state == .active)
        #expect(tree.device(owning: transport) == device)
        #expect(tree.device(owning: adapter) == nil)
    }

    @Test func aDeviceWhoseServicesAreKnownIsConnected() {
        let tree = Model(tree)
        func tell(_ name: String, _ value: Bool) {
            let arguments: [DBusValue] = [
                .string(BluetoothDevice.interface), .properties([name: .boolean(value)]), .strings([]),
            ]
            _ = tree.apply(signal("Properties", "PropertiesChanged", arguments, at: device.rawValue))
        }
        tell("ServicesResolved", true)
        #expect(tree.value.device(device)?.isConnected == true, "of which nothing was told")
        tell("ServicesResolved", false)
        tell("Connected", false)
        #expect(tree.value.device(device)?.isConnected == false)
    }

    @Test func aChangeTellsWhatChangedAndNothingElse() {
        let tree = Model(tree)
        let change = signal(
            "Properties", "PropertiesChanged",
            [.string(BluetoothDevice.interface), .properties(["Connected": .boolean(true)]), .strings(["RSSI"])],
            at: device.rawValue)
        #expect(tree.apply(change) == [device])
        #expect(tree.value.device(device)?.isConnected == true)
        #expect(tree.value.device(device)?.signalStrength == nil)
        #expect(tree.apply(change).isEmpty)
    }

    @Test func interfacesComeAndGoOneByOne() {
        let tree = Model(tree)
        let removal = signal(
            "ObjectManager", "InterfacesRemoved", [.objectPath(device.rawValue), .strings(["org.bluez.Battery1"])])
        #expect(tree.apply(removal) == [device])
        #expect(tree.value.batteryLevel(of: device) == nil)
        #expect(tree.value.device(device) != nil)
        let addition = signal(
            "ObjectManager", "InterfacesAdded",
            [
                .objectPath(device.rawValue),
                .dictionary(
                    key: "s", value: "a{sv}",
                    [
                        .string("org.bluez.Battery1"): .properties(["Percentage": .byte(140)]),
                        .string("org.freedesktop.DBus.Properties"): .properties([:]),
                    ]),
            ])
        #expect(tree.apply(addition) == [device])
        #expect(tree.value.batteryLevel(of: device) == 100)
    }

    @Test func anAdapterTakesItsDevicesWithIt() {
        let tree = Model(tree)
        let removal = signal(
            "ObjectManager", "InterfacesRemoved",
            [.objectPath(adapter.rawValue), .strings([BluetoothAdapter.interface])])
        #expect(tree.apply(removal) == [adapter, device, transport])
        #expect(tree.value.devices.isEmpty)
    }

    @Test func aWholeNewStateTellsOnlyDifferences() {
        let tree = Model(tree)
        var other = tree.value
        _ = other.remove(transport, [BluetoothTransport.interface])
        #expect(tree.replace(with: other) == [transport])
        #expect(tree.replace(with: other).isEmpty)
    }

    @Test func whatMakesNoSenseChangesNothing() {
        let tree = Model(tree)
        let before = tree.value
        for arguments: [DBusValue] in [[], [.int32(1)], [.string("x"), .string("y"), .string("z")]] {
            for member in ["InterfacesAdded", "InterfacesRemoved"] {
                #expect(tree.apply(signal("ObjectManager", member, arguments)).isEmpty)
            }
            #expect(tree.apply(signal("Properties", "PropertiesChanged", arguments, at: device.rawValue)).isEmpty)
        }
        #expect(tree.value == before)
        #expect(BlueZTree(managed: .string("x")).devices.isEmpty)
    }

    @Test(arguments: [
        ("110b", "0000110b-0000-1000-8000-00805f9b34fb"), ("0000110B", "0000110b-0000-1000-8000-00805f9b34fb"),
        ("F000AA00-0451-4000-B000-000000000000", "f000aa00-0451-4000-b000-000000000000"),
    ])
    func aUUIDHasOneForm(text: String, expected: String) {
        #expect(BluetoothUUID(text)?.description == expected)
    }

    @Test(arguments: ["", "+10b", "110", "110b-", "0000110b-0000-1000-8000-00805f9b34fg", "0000110b000010008000x"])
    func whatIsNoUUIDIsRefused(text: String) { #expect(BluetoothUUID(text) == nil) }
}

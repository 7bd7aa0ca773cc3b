import DBus
import Foundation
import Testing

@testable import BlueZ

private let mockTemplate = "/usr/lib/python3/dist-packages/dbusmock/templates/bluez5.py"

/// Against python-dbusmock's `bluez5`, which others wrote for tests of desktops' Bluetooth settings.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: PrivateBus.isAvailable && FileManager.default.fileExists(atPath: mockTemplate),
        "needs dbus-daemon and python3-dbusmock"))
struct BlueZMockTests {
    private let adapter = BlueZIdentifier(rawValue: "/org/bluez/hci0")
    private let phone = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_11_22_33_44_55_66")

    @Test func devicesAreFoundPairedConnectedAndForgotten() async throws {
        let bus = try await PrivateBus()
        let mock = try ChildProcess(
            "/usr/bin/python3", ["-m", "dbusmock", "--template", "bluez5"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address])
        let client = BlueZClient(address: bus.address)
        var updates = await client.updates().makeAsyncIterator()
        while await updates.next()?.state != .running {}
        let hand = DBusConnection(loop: DBusLoop(label: "hand"))
        try await hand.open(address: bus.address)
        let make = { (member: String, words: [String]) async throws in
            _ = try await hand.call(
                "org.bluez", path: "/org/bluez", interface: "org.bluez.Mock", member: member,
                words.map { .string($0) })
        }
        try await make("AddAdapter", ["hci0", "desk"])
        while await updates.next()?.tree.adapter(adapter)?.isPowered != true {}
        let scan = await client.scan(BlueZScanFilter())
        while await updates.next()?.tree.adapter(adapter)?.isDiscovering != true {}
        try await make("AddDevice", ["hci0", "11:22:33:44:55:66", "Phone"])
        while await updates.next()?.tree.device(phone)?.alias != "Phone" {}

        try await client.pair(phone) { _ in .accept }
        #expect(await client.current().tree.device(phone)?.isPaired == true)
        #expect(await client.current().tree.device(phone)?.kind == .phone)
        let again = await #expect(throws: BlueZError.self) { try await client.pair(phone) { _ in .accept } }
        #expect(again?.code == .alreadyPaired)
        try await client.connect(phone)
        #expect(await client.current().tree.device(phone)?.isConnected == true)
        try await client.disconnect(phone)
        let twice = await #expect(throws: BlueZError.self) { try await client.disconnect(phone) }
        #expect(twice?.code == .notConnected)
        scan.end()
        while await updates.next()?.tree.adapter(adapter)?.isDiscovering != false {}
        try await client.forget(address: "11:22:33:44:55:66")
        #expect(await client.current().tree.device(phone) == nil)

        await mock.end()
        while await updates.next()?.state == .running {}
        await hand.close()
        await bus.stop()
    }
}

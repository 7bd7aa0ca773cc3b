import DBus
import HostClient
import HostInterface
import Testing

@testable import mdhost

@Suite("Devices as a table")
struct DeviceTableTests {
    @Test(
        "the address is the host of the first endpoint",
        arguments: [
            ("192.0.2.1:8060", "192.0.2.1"), ("[fe80::1%eth0]:80", "[fe80::1%eth0]"),
            ("http://192.0.2.1:1400/xml/device.xml", "192.0.2.1"), ("http://[2001:db8::1]:80/a", "[2001:db8::1]"),
            ("Kitchen._http._tcp.local.", "Kitchen._http._tcp.local."), ("", ""), ("[", "["),
            ("bluetooth:00-1A-7D-DA-71-13", "00:1A:7D:DA:71:13"),
            ("[\u{1B}[31m]:80", "[[31m]"), ("a\u{202E}b:80", "ab"),
        ])
    func address(_ endpoint: String, _ expected: String) throws {
        let device = try device("TV", with: ["Endpoints": .array(of: "s", [.string(endpoint)])])
        #expect(DeviceTable.address(device) == expected)
    }

    @Test func signalAndBatteryAreShownWhereTheyAreKnown() throws {
        let plain = try device("TV", with: [:])
        let radio = try device("Earbuds", with: ["SignalStrength": .int32(-61), "BatteryLevel": .int32(0)])
        let unknown = try device("Lamp", with: ["SignalStrength": .int32(0), "BatteryLevel": .int32(-1)])
        let lines = DeviceTable(devices: [plain, radio, unknown]).lines(width: .max)
        #expect(lines[0].contains("  SIGNAL   BATTERY  ID") && lines[2].contains("  -61 dBm  0 %      "))
        #expect(!DeviceTable(devices: [plain, unknown]).lines(width: .max)[0].contains("SIGNAL"))
    }

    @Test(
        "states in people's words",
        arguments: [
            ("ready", "idle", false, "ready"), ("ready", "idle", true, "ready, paired"),
            ("remembered", "idle", true, "remembered, paired"), ("remembered", "idle", false, "remembered"),
            ("checking", "idle", true, "checking, paired"), ("ready", "active", false, "in use"),
            ("ready", "activating", false, "connecting"), ("remembered", "awaiting-code", false, "waits for code"),
            ("unreachable", "active", false, "unreachable"),
        ])
    func state(_ availability: String, _ activation: String, _ isPaired: Bool, _ word: String) throws {
        let device = try device(
            "TV",
            with: [
                "Availability": .string(availability), "Activation": .string(activation), "Paired": .boolean(isPaired),
            ])
        let lines = DeviceTable(devices: [device]).lines(width: .max)
        #expect(lines.count == 2 && lines[1].contains("  \(word)  "))
    }

    @Test(
        "several that are one are reached by all that is there",
        arguments: [
            ("ready", "ready", "DLNA, MPD"), ("absent", "ready", "MPD"), ("ready", "absent", "DLNA"),
        ])
    func merged(_ first: String, _ second: String, _ ways: String) throws {
        let device = try device(
            "TV",
            with: try parts(
                DevicePart("TV", by: "DLNA", id: "A", availability: first),
                DevicePart("Box", by: "MPD", id: "B", availability: second),
                DevicePart("Twin", by: "MPD", id: "C", availability: second)))
        #expect(device.ways == ways)
        let lines = DeviceTable(devices: [device]).lines(width: .max)
        #expect(lines.count == 2 && lines[1].contains("  \(ways)  "))
    }

    @Test("nothing a device says reaches the terminal as a control")
    func hostile() throws {
        let evil = DBusValue.string("\u{1B}[2Jx\n\u{202E}")
        let device = try device(
            "\u{1B}[2Jx\n", with: ["ProtocolName": evil, "Type": evil, "Endpoints": .array(of: "s", [evil])])
        for line in DeviceTable(devices: [device]).lines(width: .max) {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
        }
    }
}

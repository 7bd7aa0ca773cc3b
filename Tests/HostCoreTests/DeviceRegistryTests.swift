import HostInterface
import Testing

@testable import HostCore

struct DeviceRegistryTests {
    private func device(_ id: String, name: String = "TV", extension identifier: String = "a") -> HostDevice {
        var description = HostUnderTest.device
        description.id = id
        description.name = name
        return HostDevice(
            description: description, extensionIdentifier: identifier, protocolIdentifier: "p", protocolName: "P",
            availability: .ready)
    }

    @Test func reportsAddedThenUpdatedThenNothing() {
        var registry = DeviceRegistry()
        #expect(registry.seen(device("1")) == .added(device("1")))
        #expect(registry.seen(device("1")) == nil)
        #expect(registry.seen(device("1", name: "Bedroom")) == .updated(device("1", name: "Bedroom")))
    }

    @Test func anotherExtensionCannotTakeADeviceOver() {
        var registry = DeviceRegistry()
        _ = registry.seen(device("1"))
        #expect(registry.seen(device("1", name: "Stolen", extension: "b")) == nil)
        #expect(registry.lost("1", from: "b", inUse: false) == nil)
        #expect(registry["1"]?.description.name == "TV")
        #expect(registry.refused == 1)
    }

    @Test func aDeviceInUseStaysAsUnreachable() {
        var registry = DeviceRegistry()
        _ = registry.seen(device("1"))
        _ = registry.lost("1", from: "a", inUse: true)
        #expect(registry["1"]?.availability == .unreachable)
        _ = registry.seen(device("1"))
        #expect(registry["1"]?.availability == .ready)
        #expect(registry.lost("1", from: "a", inUse: false) == .removed(id: "1"))
    }

    @Test func anExtensionCannotReportWithoutEnd() {
        var registry = DeviceRegistry()
        for index in 0..<(DeviceRegistry.limitPerExtension + 10) { _ = registry.seen(device("\(index)")) }
        #expect(registry.all.count == DeviceRegistry.limitPerExtension)
        #expect(registry.refused == 10)
        _ = registry.remove("0")
        #expect(registry.seen(device("new")) != nil)
    }

    @Test func onlyUnconfirmedDevicesAreWithdrawn() {
        var registry = DeviceRegistry()
        var remembered = device("1")
        remembered.availability = .remembered
        _ = registry.seen(remembered)
        _ = registry.seen(device("2"))
        #expect(registry.removeUnconfirmed() == [.removed(id: "1")])
        #expect(registry.all.map(\.id) == ["2"])
    }

    @Test(arguments: [
        ("10.0.0.5:80", "10.0.0.5"), ("[fe80::1%eth0]:80", "fe80::1%eth0"), ("http://10.0.0.5:49152/d.xml", "10.0.0.5"),
        ("http://[fd77::1]:80/", "fd77::1"),
    ])
    func numericAddressesOfEndpoints(_ text: String, _ address: String) {
        #expect(EndpointText.numericAddress(text) == address)
    }

    @Test(arguments: ["name._mpd._tcp.local.", "tv.local:80", "", "[", "http://", "[::1"])
    func textWithoutANumericAddress(_ text: String) {
        #expect(EndpointText.numericAddress(text) == nil)
    }
}

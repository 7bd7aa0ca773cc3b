import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

/// Devices with as much text as they may have.
@Suite struct DeviceMemoryTests {
    private func device(_ id: String, size: Int = 10_000, of identifier: String = "a") -> HostDevice {
        HostDevice(
            description: DeviceDescription(
                id: id, name: id, capabilities: [], type: "speaker", volumeControl: .none, canMute: false,
                canGroup: false, supportsSimultaneousSessions: false, endpoints: [],
                txt: ["fill": String(repeating: "x", count: size)]),
            extensionIdentifier: identifier, protocolIdentifier: "p", protocolName: "P", availability: .ready)
    }

    private func size(_ registry: DeviceRegistry) -> Int {
        registry.all.reduce(0) { $0 + $1.description.textSize }
    }

    @Test func oneExtensionAndAllTogetherAreBounded() {
        var registry = DeviceRegistry()
        for index in 0..<2_000 { _ = registry.seen(device("a\(index)")) }
        #expect(size(registry) <= DeviceMemory.limitPerExtension && size(registry) > DeviceMemory.limitPerExtension / 2)
        #expect(registry.overfull == ["a"] && registry.refused > 0)
        for identifier in ["b", "c", "d"] {
            for index in 0..<2_000 { _ = registry.seen(device("\(identifier)\(index)", of: identifier)) }
        }
        #expect(size(registry) <= DeviceMemory.limit)
        // Removed devices make room.
        for device in registry.all where device.extensionIdentifier == "a" { _ = registry.remove(device.id) }
        #expect(registry.seen(device("d-new", of: "d")) != nil)
    }

    @Test func aDeviceThatGrowsTooLargeKeepsWhatItHad() {
        var registry = DeviceRegistry()
        _ = registry.seen(device("small", size: 10))
        for index in 0..<2_000 { _ = registry.seen(device("a\(index)")) }
        _ = registry.seen(device("small", size: 16_000))
        #expect(registry["small"]?.description.txt["fill"]?.count == 10)
        for index in 0..<2_000 { _ = registry.remove("a\(index)") }
        _ = registry.seen(device("small", size: 16_000))
        #expect(registry["small"]?.description.txt["fill"]?.count == 16_000)
    }
}

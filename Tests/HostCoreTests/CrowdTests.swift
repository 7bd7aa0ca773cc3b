import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Thousands of devices that appear, change and disappear: the reported and stored amounts, in numbers that don't
/// depend on the speed of the machine.
@Suite(.timeLimit(.minutes(2))) struct CrowdTests {
    private static let size = 1000

    private func device(_ number: Int, name: String) -> DeviceDescription {
        var device = HostUnderTest.device
        let digits = String(number, radix: 16, uppercase: true)
        device.id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        device.name = name
        return device
    }

    private func crowd(_ name: String) -> [DeviceDescription] {
        (1...Self.size).map { device($0, name: "\(name) \($0)") }
    }

    /// Returns the changes published since the last call, by kind.
    private func changes(_ world: HostUnderTest) async -> (seen: Int, lost: Int) {
        await world.host.published()
        return world.published.withLock { published in
            defer { published = [] }
            return published.reduce(into: (0, 0)) { counts, change in
                if case .device = change { counts.0 += 1 }
                if case .deviceRemoved = change { counts.1 += 1 }
            }
        }
    }

    @Test func everyChangeIsToldOnceAndNothingIsKeptOfWhatLeft() async {
        let runner = ScriptedRunner(script: { _ in [] })
        let world = HostUnderTest(runner)
        await world.discover()
        _ = await changes(world)
        for cycle in 1...5 {
            for device in crowd("new \(cycle)") { runner.emit(.message(.foundDevice(device))) }
            await world.until { await $0.devices.count == Self.size + 1 }
            #expect(await changes(world) == (Self.size, 0))
            // A sighting without changes is not reported.
            for device in crowd("new \(cycle)") { runner.emit(.message(.foundDevice(device))) }
            runner.emit(.message(.updateDevices(crowd("other \(cycle)"))))
            await world.until { host in
                await host.devices.filter { $0.description.name.hasPrefix("other") }.count == Self.size
            }
            #expect(await changes(world) == (Self.size, 0))
            for device in crowd("") { runner.emit(.message(.lostDevice(id: device.id))) }
            await world.until { await $0.devices.count == 1 }
            #expect(await changes(world) == (0, Self.size))
            await world.host.remembered()
            // The device that stays was reported, and seen in this look.
            #expect(await world.host.keptOfDevices == 2)
        }
        await world.finish()
    }

    /// A device that comes and goes all the time is not written to the disk all the time.
    @Test func whatIsRememberedAlreadyIsNotWrittenAgain() async {
        let runner = ScriptedRunner(script: { _ in [] })
        let world = HostUnderTest(runner)
        await world.discover()
        for _ in 1...20 {
            runner.emit(.message(.foundDevice(device(1, name: "Flaky"))))
            runner.emit(.message(.lostDevice(id: device(1, name: "").id)))
        }
        runner.emit(.message(.foundDevice(device(2, name: "Steady"))))
        await world.until { await $0.devices.contains { $0.description.name == "Steady" } }
        await world.host.remembered()
        #expect(Set(world.store.writes) == [HostUnderTest.device.name, "Flaky", "Steady"])
        #expect(world.store.writes.count == 3)
        runner.emit(.message(.foundDevice(device(1, name: "Renamed"))))
        await world.until { await $0.devices.contains { $0.description.name == "Renamed" } }
        await world.host.remembered()
        #expect(world.store.writes.last == "Renamed" && world.store.writes.count == 4)
        await world.finish()
    }
}

extension MediaHost {
    /// Entries about devices in tables beside the registry.
    fileprivate var keptOfDevices: Int {
        sightings.count + presence.count + checks.count + watches.count + missing.count + credentials.writeCount
    }

    fileprivate func remembered() async { await sightings.writing?.value }
}

import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Devices whose keys are bluetoothd's.
@Suite(.timeLimit(.minutes(1)))
struct BluetoothBondTests {
    private let bond = Data("bluetooth-bond 00:AA:01:01:00:01".utf8)

    private func paired(_ bluetooth: ForgettingBluetooth) async -> HostUnderTest {
        let world = HostUnderTest(ScriptedRunner { _ in [] }, bluetooth: bluetooth)
        await world.discover()
        world.runner.emit(.message(.setCredential(device: HostUnderTest.device.id, secret: bond)))
        await world.until { await $0.devices.first?.isPaired == true }
        return world
    }

    @Test func whoIsForgottenHasNoBondAnyMore() async throws {
        let bluetooth = ForgettingBluetooth()
        let world = await paired(bluetooth)
        try await world.host.forget(HostUnderTest.device.id)
        #expect(bluetooth.forgotten.withLock { $0 } == ["00:AA:01:01:00:01"])
        #expect(await world.host.devices.map(\.isPaired) == [false])
        #expect(world.store.paired.isEmpty)
        await world.finish()
    }

    @Test func aBondIsOneDevices() async throws {
        var renamed = HostUnderTest.device
        renamed.id = "00000000-0000-4000-8000-000000000077"
        let world = await paired(ForgettingBluetooth())
        world.runner.emit(.message(.lostDevice(id: HostUnderTest.device.id)))
        world.runner.emit(.message(.foundDevice(renamed)))
        world.runner.emit(.message(.setCredential(device: renamed.id, secret: bond)))
        await world.until { _ in world.store.paired.keys.elementsEqual([renamed.id]) }
        await world.until { await $0.devices.map(\.isPaired) == [true] }
        await world.finish()
    }

    @Test func whoCannotBeForgottenStays() async throws {
        let refusal = HostError(.storageFailed, "Bluetooth does not forget the device: bluetoothd is not running.")
        let world = await paired(ForgettingBluetooth(refusal: refusal))
        await #expect(throws: refusal) { try await world.host.forget(HostUnderTest.device.id) }
        #expect(await world.host.devices.map(\.isPaired) == [true])
        #expect(world.store.paired[HostUnderTest.device.id] == bond)
        await world.finish()
    }

    @Test func thatThereIsNoBondIsNoNewsOfADeviceWithoutOne() async throws {
        let world = await paired(ForgettingBluetooth())
        world.runner.emit(.message(.setCredential(device: HostUnderTest.device.id, secret: nil)))
        await world.until { await $0.devices.first?.isPaired == false }
        world.runner.emit(.message(.setCredential(device: HostUnderTest.device.id, secret: nil)))
        world.runner.emit(.message(.setCredential(device: HostUnderTest.device.id, secret: bond)))
        await world.until { await $0.devices.first?.isPaired == true }
        #expect(world.store.paired[HostUnderTest.device.id] == bond)
        await world.finish()
    }
}

private final class ForgettingBluetooth: BluetoothPort {
    let forgotten = Mutex<[String]>([])
    private let refusal: HostError?

    init(refusal: HostError? = nil) { self.refusal = refusal }

    func begin(_ order: BluetoothOrder) async -> BluetoothConversation {
        BluetoothConversation(answers: AsyncStream { $0.finish() })
    }

    func forget(_ address: String) async throws(HostError) {
        if let refusal { throw refusal }
        forgotten.withLock { $0.append(address) }
    }
}

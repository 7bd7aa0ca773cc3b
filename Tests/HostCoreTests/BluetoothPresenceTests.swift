import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Testing

@testable import HostCore

/// bluetoothd reports a paired device whether it is switched on or not.
@Suite(.timeLimit(.minutes(1)))
struct BluetoothPresenceTests {
    private static let endpoint = "bluetooth:00-AA-01-01-00-01"

    private static func state(
        _ id: String = "/org/bluez/hci0/dev_1", signal: Int? = nil, isConnected: Bool = false
    ) -> BluetoothAnswer {
        .device(
            BluetoothDeviceState(
                id: id, address: "00:aa:01:01:00:01", name: "Speaker", kind: "speaker", isPaired: true,
                isConnected: isConnected, hasLegacyPairing: false, signalStrength: signal, hasTransport: false))
    }

    private static func lost(_ id: String) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.lost)
        answer.id = id
        return answer
    }

    // MARK: The value

    @Test func onlyASignalOrAConnectionShowsThatADeviceIsThere() {
        var presence = BluetoothPresence()
        #expect(presence.isThere(["10.0.0.5:80"]) == nil && presence.isThere([Self.endpoint]) == false)
        #expect(presence.apply(Self.state()) == ["00:AA:01:01:00:01"])
        #expect(presence.isThere([Self.endpoint]) == false, "paired, and never heard")
        _ = presence.apply(Self.state(signal: -60))
        #expect(presence.isThere([Self.endpoint]) == true)
        _ = presence.apply(Self.state())
        #expect(presence.isThere([Self.endpoint]) == true && presence.isFading("00:AA:01:01:00:01"))
        presence.expire("00:AA:01:01:00:01")
        #expect(presence.isThere([Self.endpoint]) == false)
        _ = presence.apply(Self.state(isConnected: true))
        #expect(presence.isThere([Self.endpoint]) == true && !presence.isFading("00:AA:01:01:00:01"))
    }

    @Test func oneAdapterThatHearsItIsEnough() {
        var presence = BluetoothPresence()
        _ = presence.apply(Self.state("one", signal: -60))
        _ = presence.apply(Self.state("two"))
        #expect(presence.isThere([Self.endpoint]) == true && !presence.isFading("00:AA:01:01:00:01"))
        _ = presence.apply(Self.lost("one"))
        #expect(presence.isFading("00:AA:01:01:00:01"))
        _ = presence.apply(Self.state("two", signal: -70))
        #expect(presence.isThere([Self.endpoint]) == true && !presence.isFading("00:AA:01:01:00:01"))
    }

    // MARK: The host

    private func home(_ bluetooth: TellingBluetooth, _ clock: ManualClock) async -> HostUnderTest {
        let runner = ScriptedRunner { call in
            call == .startDeviceDiscovery ? [.bluetooth(request: 1, order: BluetoothOrder(.browse))] : []
        }
        let world = HostUnderTest(runner, bluetooth: bluetooth, clock: clock)
        await world.host.takeLease("test")
        bluetooth.tell(BluetoothAnswer(.ready))
        await world.until { await $0.bluetoothReach.scan == .underWay }
        return world
    }

    private static var speaker: DeviceDescription {
        var device = HostUnderTest.device
        device.endpoints = [endpoint]
        return device
    }

    @Test func aPairedDeviceIsReadyOnceItIsHeard() async {
        let (bluetooth, clock) = (TellingBluetooth(), ManualClock())
        let world = await home(bluetooth, clock)
        bluetooth.tell(Self.state())
        world.runner.emit(.message(.foundDevice(Self.speaker)))
        await world.until { await $0.devices.first?.availability == .remembered }
        bluetooth.tell(Self.state(signal: -60))
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    @Test func aDeviceThatIsNotHeardAnyMoreIsRememberedAfterAWhile() async {
        let (bluetooth, clock) = (TellingBluetooth(), ManualClock())
        let world = await home(bluetooth, clock)
        bluetooth.tell(Self.state(signal: -60))
        await world.until { await $0.bluetoothReach.isThere([Self.endpoint]) == true }
        world.runner.emit(.message(.foundDevice(Self.speaker)))
        await world.until { await $0.devices.first?.availability == .ready }
        bluetooth.tell(Self.state())
        await world.until { await $0.bluetoothReach.isFading("00:AA:01:01:00:01") }
        #expect(await world.host.devices.first?.availability == .ready, "the adapters pause between two searches")
        // The task may begin to wait only after the first step.
        while await world.host.devices.first?.availability != .remembered {
            clock.advance(by: HostTiming().bluetoothSilence)
            await Task.yield()
        }
        bluetooth.tell(Self.state(signal: -60))
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }
}

/// Sends the test's reports.
private final class TellingBluetooth: BluetoothPort {
    private let answers = AsyncStream.makeStream(of: BluetoothAnswer.self)

    func tell(_ answer: BluetoothAnswer) { answers.continuation.yield(answer) }
    func begin(_ order: BluetoothOrder) async -> BluetoothConversation {
        BluetoothConversation(answers: answers.stream)
    }
    func forget(_ address: String) async throws(HostError) {}
}

/// The state of the scan, and the grace periods.
@Suite(.timeLimit(.minutes(1))) struct BluetoothReachTests {
    private func state(signal: Int?) -> BluetoothAnswer {
        .device(
            BluetoothDeviceState(
                id: "/org/bluez/hci0/dev_1", address: "00:aa:01:01:00:01", name: "Speaker", kind: "speaker",
                isPaired: true, isConnected: false, hasLegacyPairing: false, signalStrength: signal, hasTransport: false
            ))
    }

    @Test func aCompleteScanStaysGoodForAWhile() async {
        var reach = BluetoothReach()
        // Nobody looks; a scan begins; it is under way already.
        let begins = [false, true, true].map { reach.note(BluetoothAnswer(.ready), isLooking: $0) }
        #expect(begins == [false, true, false] && reach.scan == .underWay)
        reach.endLook { Task {} }
        #expect(reach.scan == .none, "it was not complete")
        _ = reach.note(BluetoothAnswer(.ready), isLooking: true)
        reach.settle()
        let waiting = Task<Void, Never> { while !Task.isCancelled { await Task.yield() } }
        reach.endLook { waiting }
        #expect(reach.scan == .complete)
        reach.renew()
        await waiting.value
        reach.expire()
        #expect(reach.scan == .none)
    }

    @Test func aSignalEndsTheGracePeriod() async {
        var reach = BluetoothReach()
        let address = "00:AA:01:01:00:01"
        let reports = [reach.apply(state(signal: -60)), reach.apply(state(signal: nil))]
        #expect(reports[0].certain == [address] && reports[1].silent == [address])
        let waiting = Task<Void, Never> { while !Task.isCancelled { await Task.yield() } }
        reach.beginSilence(of: address, waiting)
        let heard = reach.apply(state(signal: -70))
        #expect(heard.certain == [address])
        await waiting.value
        #expect(reach.isThere(["bluetooth:00-AA-01-01-00-01"]) == true)
        _ = reach.apply(state(signal: nil))
        reach.silenceEnded(address)
        #expect(reach.isThere(["bluetooth:00-AA-01-01-00-01"]) == false)
    }
}

import HostInterface
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryLeaseTests {
    /// A client that leaves while the extensions are being started.
    @Test func aLeaseThatEndsWhileItIsTakenKeepsNothingRunning() async {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let waits = Mutex(false)
        let runner = ScriptedRunner(
            acquiring: {
                waits.withLock { $0 = true }
                for await _ in gate {}
            }, script: { _ in [] })
        let world = HostUnderTest(runner)
        let taking = Task { await world.host.takeLease("first") }
        await world.until { _ in waits.withLock { $0 } }
        await world.host.endLease("first")
        opener.finish()
        await taking.value
        #expect(runner.reasons.isEmpty)
        await world.finish()
    }

    /// The first one's start serves the second one too.
    @Test func aLeaseThatJoinedMeanwhileKeepsThemRunning() async {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let waits = Mutex(false)
        let runner = ScriptedRunner(
            acquiring: {
                waits.withLock { $0 = true }
                for await _ in gate {}
            }, script: { _ in [] })
        let world = HostUnderTest(runner)
        let taking = Task { await world.host.takeLease("first") }
        await world.until { _ in waits.withLock { $0 } }
        await world.host.takeLease("second")
        await world.host.endLease("first")
        opener.finish()
        await taking.value
        #expect(runner.reasons == ["discovery"])
        await world.finish()
    }

    /// Devices in the air answer for ten seconds.
    @Test func whereThereIsBluetoothTheListIsCompleteWithIt() async {
        let runner = ScriptedRunner { call in
            call == .startDeviceDiscovery ? [.bluetooth(request: 1, order: BluetoothOrder(.browse))] : []
        }
        var timing = HostTiming()
        timing.settling = .seconds(600)
        timing.bluetoothSettling = .milliseconds(1)
        let world = HostUnderTest(runner, bluetooth: ReadyBluetooth(), timing: timing)
        await world.host.takeLease("first")
        await world.until { await $0.isSettled }
        await world.host.endLease("first")
        await world.host.takeLease("second")
        #expect(await world.host.isSettled, "what was found just now is good enough")
        await world.finish()
    }
}

/// Adapters that look around, and find nothing.
private struct ReadyBluetooth: BluetoothPort {
    func begin(_ order: BluetoothOrder) async -> BluetoothConversation {
        BluetoothConversation(
            answers: AsyncStream {
                $0.yield(BluetoothAnswer(.ready))
                $0.finish()
            })
    }

    func forget(_ address: String) async throws(HostError) {}
}

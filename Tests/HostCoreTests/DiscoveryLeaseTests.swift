import HostInterface
import LinkProtocol
import ManualTime
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

    /// On a slow machine its process is still being loaded when all others have reported their devices.
    @Test func whatIsFoundByAnExtensionThatLoadsForLongIsAwaited() async {
        let runner = ScriptedRunner(starts: false) { call in
            call == .startDeviceDiscovery ? [.foundDevice(HostUnderTest.device)] : []
        }
        var status = await runner.statuses()[0]
        status.state = .starting
        let (clock, timing) = (ManualClock(), HostTiming.withoutLingering)
        let world = HostUnderTest(runner, clock: clock, timing: timing)
        runner.emit(.status(status))
        await world.until { await $0.extensions.first?.state == .starting }
        await world.host.takeLease("first")
        // Until the list is complete, and until remembered devices are given up.
        await clock.slept(times: 2)
        for round in 1...3 {
            clock.advance(by: timing.settling)
            await clock.slept(times: 2 + round)
            #expect(await !world.host.isSettled)
        }
        status.state = .running
        runner.emit(.status(status))
        runner.emit(.started)
        await world.until { await !$0.devices.isEmpty }
        #expect(await !world.host.isSettled)
        await clock.slept(times: 6)
        clock.advance(by: timing.settling)
        await world.until { await $0.isSettled }
        await world.finish()
    }

    /// Devices in the air answer for ten seconds.
    @Test func whereThereIsBluetoothTheListIsCompleteWithIt() async {
        let runner = ScriptedRunner { call in
            call == .startDeviceDiscovery ? [.bluetooth(request: 1, order: BluetoothOrder(.browse))] : []
        }
        var timing = HostTiming.withoutLingering
        timing.settling = .seconds(600)
        timing.lingering = .seconds(600)
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

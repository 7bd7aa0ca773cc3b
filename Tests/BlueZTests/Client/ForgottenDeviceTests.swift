import DBus
import ManualTime
import TestConditions
import Testing

@testable import BlueZ

/// Pairing a device that bluetoothd has forgotten since a person chose it.
@Suite(.timeLimit(.minutes(1)), .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon"))
struct ForgottenDeviceTests {
    private let speaker = ScriptedBluetoothd.speaker

    @Test func itIsLookedForAndPaired() async throws {
        let stage = try await Stage()
        await stage.bluetoothd.forgetSpeaker()
        try await stage.client.pair(speaker) { _ in .accept }
        #expect(await stage.client.current().tree.device(speaker)?.isPaired == true)
        await eventually("StopDiscovery") { stage.bluetoothd.calls.contains("StopDiscovery") }
        #expect(stage.bluetoothd.calls.filter { $0 == "Pair" }.count == 1)
        await stage.end()
    }

    @Test func thatItIsGoneIsSaidAfterTheSearch() async throws {
        let clock = ManualClock()
        let stage = try await Stage(clock: clock)
        await stage.bluetoothd.removeSpeaker()
        let pairing = Task { try await stage.client.pair(speaker) { _ in .accept } }
        await clock.slept(times: 1)
        await eventually("StartDiscovery") { stage.bluetoothd.calls.contains("StartDiscovery") }
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: BlueZError.self) { try await pairing.value }
        #expect(error?.code == .noSuchDevice)
        #expect(!stage.bluetoothd.calls.contains("Pair"))
        await eventually("StopDiscovery") { stage.bluetoothd.calls.contains("StopDiscovery") }
        await stage.end()
    }

    @Test func cancellingEndsTheSearch() async throws {
        let stage = try await Stage(clock: ManualClock())
        await stage.bluetoothd.removeSpeaker()
        let pairing = Task { try await stage.client.pair(speaker) { _ in .accept } }
        await eventually("StartDiscovery") { stage.bluetoothd.calls.contains("StartDiscovery") }
        pairing.cancel()
        let error = await #expect(throws: BlueZError.self) { try await pairing.value }
        #expect(error?.code == .cancelled)
        await eventually("StopDiscovery") { stage.bluetoothd.calls.contains("StopDiscovery") }
        await stage.end()
    }

    /// One that goes away while it is paired is a failure of its own, not one to be tried without end.
    @Test func aDeviceThatGoesAgainIsNotTriedAThirdTime() async throws {
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.forgetSpeaker()
            throw DBusError(name: "org.freedesktop.DBus.Error.UnknownObject", message: "gone")
        }
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(error?.code == .noSuchDevice)
        #expect(stage.bluetoothd.calls.filter { $0 == "Pair" }.count == 2)
        await stage.end()
    }
}

import DBus
import TestConditions
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)), .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon"))
struct BlueZClientTests {
    private let speaker = ScriptedBluetoothd.speaker

    @Test func theStateComesFirstAndThenEveryChange() async throws {
        let stage = try await Stage()
        var updates = await stage.client.updates().makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.state == .running)
        #expect(first.tree.device(speaker)?.alias == "Kitchen")
        #expect(first.tree.device(speaker)?.manufacturerData == [0x4c: [1, 2]])
        #expect(first.changed.contains(speaker))
        await stage.bluetoothd.setSignal(-30)
        let second = try #require(await updates.next())
        #expect(second.changed == [speaker])
        #expect(second.tree.device(speaker)?.signalStrength == -30)
        await stage.end()
    }

    @Test func whoReadsSlowlyHearsTheNewestOnce() async throws {
        let stage = try await Stage()
        var slow = await stage.client.updates().makeAsyncIterator()
        var quick = await stage.client.updates().makeAsyncIterator()
        _ = await slow.next()
        _ = await quick.next()
        for strength in Int16(-90)...(-20) { await stage.bluetoothd.setSignal(strength) }
        while await quick.next()?.tree.device(speaker)?.signalStrength != -20 {}
        let update = try #require(await slow.next())
        #expect(update.changed == [speaker])
        #expect(update.tree.device(speaker)?.signalStrength == -20)
        await stage.end()
    }

    @Test func aBluetoothdThatIsNotThereIsAwaited() async throws {
        let bus = try await PrivateBus()
        let client = BlueZClient(address: bus.address)
        var updates = await client.updates().makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.state == .unavailable(BlueZError(.notRunning, "bluetoothd is not running.")))
        let error = await #expect(throws: BlueZError.self) { try await client.connect(speaker) }
        #expect(error?.code == .notRunning)
        let bluetoothd = try await ScriptedBluetoothd(on: bus.address)
        while await updates.next()?.state != .running {}
        await bluetoothd.leave()
        let gone = try #require(await updates.next())
        #expect(gone.state == .unavailable(BlueZError(.notRunning, "bluetoothd is not running.")))
        #expect(gone.tree.adapters.isEmpty)
        #expect(gone.changed.contains(ScriptedBluetoothd.adapter))
        let next = try await ScriptedBluetoothd(on: bus.address)
        while await updates.next()?.state != .running {}
        #expect(next.calls == ["RegisterAgent"])
        await next.leave()
        await bus.stop()
    }

    @Test func aMachineWithoutASystemBusSaysSo() async throws {
        let client = BlueZClient(address: "unix:path=/nonexistent/bus")
        let update = await client.current()
        guard case .unavailable(let error) = update.state else {
            Issue.record("\(update.state)")
            return
        }
        #expect(error.code == .noSystemBus)
    }

    @Test func scansAreCountedAndMerged() async throws {
        let stage = try await Stage()
        let bluetoothd = stage.bluetoothd
        let first = await stage.client.scan(BlueZScanFilter(transport: .lowEnergy, uuids: [.battery]))
        let wanted = ["RegisterAgent", "SetDiscoveryFilter le 1", "StartDiscovery"]
        await eventually("the filter of the first scan") { bluetoothd.calls == wanted }
        let second = await stage.client.scan(BlueZScanFilter(transport: .classic))
        await eventually("the filter of both scans") { bluetoothd.calls == wanted + ["SetDiscoveryFilter auto"] }
        first.end()
        await eventually("the filter of the second scan") {
            bluetoothd.calls == wanted + ["SetDiscoveryFilter auto", "SetDiscoveryFilter bredr"]
        }
        second.end()
        await eventually("StopDiscovery") { bluetoothd.calls.last == "StopDiscovery" }
        #expect(bluetoothd.calls.filter { $0 == "StartDiscovery" }.count == 1)
        await stage.end()
    }

    @Test func aScanGoesOnWhenTheAdapterOrBluetoothdIsBack() async throws {
        let stage = try await Stage()
        let scan = await stage.client.scan(BlueZScanFilter())
        let starts = { @Sendable in stage.bluetoothd.calls.filter { $0 == "StartDiscovery" }.count }
        await eventually("the scan") { starts() == 1 }
        await stage.bluetoothd.setPowered(false)
        await eventually("an adapter that is off") {
            await stage.client.current().tree.adapters.first?.isPowered == false
        }
        await stage.bluetoothd.setPowered(true)
        await eventually("the scan of the adapter that was switched on") { starts() == 2 }
        await stage.bluetoothd.removeAdapter()
        await eventually("no adapter") { await stage.client.current().tree.adapters.isEmpty }
        try await stage.bluetoothd.addAdapter()
        await eventually("the scan of the new adapter") { starts() == 3 }
        await stage.bluetoothd.leave()
        let next = try await ScriptedBluetoothd(on: stage.bus.address)
        await eventually("StartDiscovery") { next.calls.contains("StartDiscovery") }
        scan.end()
        await next.leave()
        await stage.bus.stop()
    }

    @Test func aDeviceIsForgottenWhetherItIsShownAsPairedOrNot() async throws {
        let stage = try await Stage()
        #expect(await stage.client.current().tree.device(speaker)?.isPaired == false)
        try await stage.client.forget(address: "00:11:22:33:44:55")
        #expect(stage.bluetoothd.calls.contains("RemoveDevice"))
        #expect(await stage.client.current().tree.device(speaker) == nil, "at once")
        try await stage.bluetoothd.addSpeaker(isPaired: true)
        await eventually("a paired speaker") { await stage.client.current().tree.device(speaker)?.isPaired == true }
        try await stage.client.forget(address: "00:11:22:33:44:66")
        #expect(await stage.client.current().tree.device(speaker) != nil, "that was another")
        try await stage.client.forget(address: "00:11:22:33:44:55")
        #expect(await stage.client.current().tree.device(speaker) == nil)
        try await stage.client.forget(address: "00:11:22:33:44:55")
        #expect(stage.bluetoothd.calls.filter { $0 == "RemoveDevice" }.count == 2)
        await stage.end()
    }

    @Test func whoIsNotForgottenIsSaidNotToBe() async throws {
        let stage = try await Stage(keepsDevices: true) { _, _ in }
        try await stage.client.pair(speaker) { _ in .accept }
        let error = await #expect(throws: BlueZError.self) {
            try await stage.client.forget(address: "00:11:22:33:44:55")
        }
        #expect(error?.code == .failed)
        await stage.bluetoothd.leave()
        await eventually("no bluetoothd") { await stage.client.current().state != .running }
        let gone = await #expect(throws: BlueZError.self) {
            try await stage.client.forget(address: "00:11:22:33:44:55")
        }
        #expect(gone?.code == .notRunning)
        await stage.bus.stop()
    }

    @Test func valuesComeOneByOneUntilTheCharacteristicGoes() async throws {
        let stage = try await Stage()
        try await stage.bluetoothd.addCharacteristic()
        let level = ScriptedBluetoothd.level
        var updates = await stage.client.updates().makeAsyncIterator()
        while await updates.next()?.tree.characteristic(level) == nil {}
        #expect(try await stage.client.readValue(level) == [7])
        let error = await #expect(throws: BlueZError.self) { try await stage.client.writeValue([1], level) }
        #expect(error?.attributeError == 0x80)
        var values = try await stage.client.values(of: level).makeAsyncIterator()
        for value in UInt8(1)...3 { await stage.bluetoothd.notify([value]) }
        #expect(await values.next() == [1])
        #expect(await values.next() == [2])
        #expect(await values.next() == [3])
        await stage.bluetoothd.removeCharacteristic()
        #expect(await values.next() == nil)
        await stage.end()
    }

    @Test func theLastWhoHearsValuesHasTheDeviceStop() async throws {
        let stage = try await Stage()
        try await stage.bluetoothd.addCharacteristic()
        let values = try await stage.client.values(of: ScriptedBluetoothd.level)
        #expect(stage.bluetoothd.calls.last == "StartNotify")
        let reading = Task { for await _ in values {} }
        reading.cancel()
        await eventually("StopNotify") { stage.bluetoothd.calls.last == "StopNotify" }
        await stage.end()
    }
}

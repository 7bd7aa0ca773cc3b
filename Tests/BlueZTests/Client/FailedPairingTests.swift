import DBus
import TestConditions
import Testing

@testable import BlueZ

/// A failed attempt to pair leaves no bond, whatever bluetoothd tells in between.
@Suite(.timeLimit(.minutes(1)), .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon"))
struct FailedPairingTests {
    private let speaker = ScriptedBluetoothd.speaker

    /// What bluetoothd shows before it says that pairing failed.
    enum Before: CaseIterable {
        case nothing, connected, bonded, paired, pairedAndConnected, unpairedAgain, gone
    }

    private static let failed = DBusError(
        name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed")

    private func isBonded(_ stage: Stage) async throws -> Bool {
        let device = await stage.client.current().tree.device(speaker)
        return device?.hasKeys == true
    }

    @Test(arguments: Before.allCases) func keysBeforeTheFailureAreTakenBack(_ before: Before) async throws {
        let stage = try await Stage { bluetoothd, _ in
            switch before {
            case .nothing: break
            case .connected: await bluetoothd.show(["Connected": .boolean(true)])
            case .bonded: await bluetoothd.show(["Bonded": .boolean(true)])
            case .paired: await bluetoothd.show(["Paired": .boolean(true)])
            case .pairedAndConnected:
                await bluetoothd.show([
                    "Connected": .boolean(true), "Bonded": .boolean(true), "Paired": .boolean(true),
                ])
            case .unpairedAgain:
                await bluetoothd.show(["Paired": .boolean(true)])
                await bluetoothd.show(["Paired": .boolean(false)])
            case .gone: await bluetoothd.removeSpeaker()
            }
            throw Self.failed
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(error?.code == .authenticationFailed)
        #expect(try await !isBonded(stage))
        let removals = stage.bluetoothd.calls.filter { $0 == "RemoveDevice" }.count
        #expect(removals == ([.bonded, .paired, .pairedAndConnected].contains(before) ? 1 : 0))
        #expect(stage.bluetoothd.calls.contains("Disconnect") == (before == .connected))
        await stage.end()
    }

    @Test func keysBehindTheFailureAreTakenBack() async throws {
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.show(["Connected": .boolean(true)])
            bluetoothd.bondWhenDisconnected()
            throw Self.failed
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(try await !isBonded(stage))
        #expect(
            stage.bluetoothd.calls.filter { ["Disconnect", "RemoveDevice"].contains($0) } == [
                "Disconnect", "RemoveDevice",
            ])
        await stage.end()
    }

    @Test func aRemovalThatDoesNotHappenIsAskedForAgain() async throws {
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.show(["Paired": .boolean(true)])
            bluetoothd.keepDevice(times: 2)
            throw Self.failed
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(error?.code == .authenticationFailed)
        #expect(stage.bluetoothd.calls.filter { $0 == "RemoveDevice" }.count == 3)
        #expect(try await !isBonded(stage))
        await stage.end()
    }

    @Test func aBondThatStaysIsToldOf() async throws {
        let stage = try await Stage(keepsDevices: true) { bluetoothd, _ in
            await bluetoothd.show(["Paired": .boolean(true)])
            throw Self.failed
        }
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(error?.code == .failed && error?.message.contains("keeps the bond") == true)
        await stage.end()
    }

    @Test func aBondFromBeforeStays() async throws {
        let stage = try await Stage { _, _ in throw Self.failed }
        await stage.bluetoothd.show(["Paired": .boolean(true), "Bonded": .boolean(true)])
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(try await isBonded(stage))
        await stage.end()
    }

    @Test func theAttemptOfAnotherProgramIsLeftAlone() async throws {
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.show(["Connected": .boolean(true), "Bonded": .boolean(true)])
            throw DBusError(name: "org.bluez.Error.InProgress", message: "In Progress")
        }
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(error?.code == .inProgress)
        #expect(!stage.bluetoothd.calls.contains { ["CancelPairing", "Disconnect", "RemoveDevice"].contains($0) })
        await stage.end()
    }

    /// The bond of a device with privacy can be counted for an older object that has its lasting address.
    @Test func theBondOfAnotherObjectWithTheSameAddressIsTakenBack() async throws {
        let other = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_40_11_22_33_44_55")
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.show(["Paired": .boolean(true)], of: other)
            throw Self.failed
        }
        try await stage.bluetoothd.addSpeaker(other)
        var updates = await stage.client.updates().makeAsyncIterator()
        while await updates.next()?.tree.device(other) == nil {}
        await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .accept } }
        #expect(await stage.client.current().tree.device(other)?.hasKeys != true)
        #expect(await stage.client.current().tree.device(speaker) != nil)
        await stage.end()
    }

    @Test func aSuccessThatNobodyAwaitsIsTakenBack() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { bluetoothd, _ in
            await bluetoothd.show(["Connected": .boolean(true)])
            bluetoothd.bondWhenDisconnected()
            ask.yield()
            // Too late to cancel anything: paired, as `Pair` returns.
            await eventually("CancelPairing") { bluetoothd.calls.contains("CancelPairing") }
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        let pairing = Task { try await stage.client.pair(speaker) { _ in .accept } }
        for await _ in asked { break }
        pairing.cancel()
        let error = await #expect(throws: BlueZError.self) { try await pairing.value }
        #expect(error?.code == .cancelled)
        await eventually("RemoveDevice") {
            (try? await isBonded(stage)) == false && stage.bluetoothd.calls.contains("RemoveDevice")
        }
        await stage.end()
    }
}

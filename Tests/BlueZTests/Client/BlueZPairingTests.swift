import DBus
import Synchronization
import TestConditions
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1)), .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon"))
struct BlueZPairingTests {
    private let speaker = ScriptedBluetoothd.speaker

    private func passkey(_ values: [DBusValue]) throws -> Int64 { try #require(values.first?.asInt64) }

    @Test func everyChallengeIsAskedAndAnswered() async throws {
        let stage = try await Stage { bluetoothd, client in
            #expect(try await bluetoothd.ask(client, "RequestPinCode") == [.string("0000")])
            #expect(try await bluetoothd.ask(client, "RequestPasskey") == [.uint32(4711)])
            #expect(try await bluetoothd.ask(client, "RequestConfirmation", [.uint32(42)]).isEmpty)
            #expect(try await bluetoothd.ask(client, "RequestAuthorization").isEmpty)
            try await bluetoothd.ask(client, "DisplayPasskey", [.uint32(5), .uint16(2)])
            try await bluetoothd.ask(client, "DisplayPinCode", [.string("8088")])
            try await bluetoothd.ask(client, "AuthorizeService", [.string(BluetoothUUID.audioSink.description)])
        }
        let heard = Mutex<Set<BluetoothPairingChallenge>>([])
        try await stage.client.pair(speaker) { challenge in
            heard.withLock { _ = $0.insert(challenge) }
            return switch challenge {
            case .pinCode: .code("0000")
            case .passkey: .code("4711")
            case .comparison, .authorization, .typeOnDevice: .accept
            }
        }
        let all: Set<BluetoothPairingChallenge> = [
            .pinCode, .passkey, .comparison("000042"), .authorization, .typeOnDevice("000005", typed: 2),
            .typeOnDevice("8088", typed: 0),
        ]
        await eventually("all questions") { heard.withLock { $0 } == all }
        #expect(await stage.client.current().tree.device(speaker)?.isPaired == true)
        await stage.end()
    }

    @Test func whoSaysNoRejects() async throws {
        let stage = try await Stage { bluetoothd, client in
            do {
                try await bluetoothd.ask(client, "RequestConfirmation", [.uint32(1)])
            } catch let error as DBusError {
                #expect(error.name == "org.bluez.Error.Rejected")
                throw DBusError(name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed")
            }
        }
        let error = await #expect(throws: BlueZError.self) { try await stage.client.pair(speaker) { _ in .reject } }
        #expect(error?.code == .authenticationFailed)
        await stage.end()
    }

    @Test func nobodyButBluetoothdIsAnsweredAndOnlyForWhatIsPaired() async throws {
        let stage = try await Stage { bluetoothd, client in
            let other = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_99_99_99_99_99_99")
            await #expect(throws: DBusError.self) {
                try await bluetoothd.ask(client, "RequestPinCode", about: other)
            }
            await #expect(throws: DBusError.self) {
                try await bluetoothd.ask(
                    client, "AuthorizeService", [.string(BluetoothUUID.audioSink.description)], about: other)
            }
        }
        let stranger = DBusConnection(loop: DBusLoop(label: "stranger"))
        try await stranger.open(address: stage.bus.address)
        try await stage.client.pair(speaker) { _ in
            Issue.record("nobody was to be asked")
            return .accept
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        _ = await updates.next()
        let name = try #require(await stage.client.connection?.uniqueName)
        let error = await #expect(throws: DBusError.self) {
            try await stranger.call(
                name, path: PairingAgent.path, interface: PairingAgent.interface, member: "RequestPinCode",
                [.objectPath(speaker.rawValue)])
        }
        #expect(error?.name == "org.bluez.Error.Rejected")
        await stranger.close()
        await stage.end()
    }

    @Test func aQuestionThatIsTakenBackIsNotAwaited() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { bluetoothd, client in
            async let answer = bluetoothd.ask(client, "RequestPasskey")
            for await _ in asked { break }
            try await bluetoothd.ask(client, "Cancel")
            _ = try? await answer
            throw DBusError(name: "org.bluez.Error.AuthenticationTimeout", message: "Authentication Timeout")
        }
        let error = await #expect(throws: BlueZError.self) {
            try await stage.client.pair(speaker) { _ in
                ask.yield()
                // Ends when bluetoothd takes its question back.
                for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) { break }
                return .cancel
            }
        }
        #expect(error?.code == .authenticationTimedOut)
        await stage.end()
    }

    @Test func whoGivesUpCancelsThePairing() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { bluetoothd, client in
            ask.yield()
            await eventually("CancelPairing") { bluetoothd.calls.contains("CancelPairing") }
            throw DBusError(name: "org.bluez.Error.AuthenticationCanceled", message: "Authentication Canceled")
        }
        let pairing = Task { try await stage.client.pair(speaker) { _ in .accept } }
        for await _ in asked { break }
        pairing.cancel()
        let error = await #expect(throws: BlueZError.self) { try await pairing.value }
        #expect(error?.code == .cancelled)
        #expect(stage.bluetoothd.calls.contains("CancelPairing"))
        await stage.end()
    }

    @Test func aBluetoothdThatLeavesAmidAPairingIsAnErrorAndThenItWorksAgain() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { bluetoothd, client in
            ask.yield()
            _ = try? await bluetoothd.ask(client, "RequestPinCode")
        }
        var updates = await stage.client.updates().makeAsyncIterator()
        let pairing = Task {
            try await stage.client.pair(speaker) { _ in
                try? await Task.sleep(for: .seconds(3600))
                return .cancel
            }
        }
        for await _ in asked { break }
        await stage.bluetoothd.leave()
        await #expect(throws: BlueZError.self) { try await pairing.value }
        let next = try await ScriptedBluetoothd(on: stage.bus.address)
        try await next.addSpeaker()
        while await updates.next()?.tree.device(speaker) == nil {}
        try await stage.client.pair(speaker) { _ in .accept }
        #expect(await stage.client.current().tree.device(speaker)?.isPaired == true)
        await next.leave()
        await stage.bus.stop()
    }
}

import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension
@testable import AirPlayPairing

/// Pairing by the code on a receiver's screen, from the request to the connection that is let in.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct PairingTests {
    private let system = PairingTests.makeSystem()

    private static func makeSystem() -> TestSystem<AirPlayExtension> {
        TestSystem.readingMedia(
            AirPlayExtension(
                .init(
                    timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(20)),
                    ports: StreamPorts(range: 26_201...26_232), reconnection: ReconnectPolicy(limit: .seconds(2)))))
    }

    /// HomeKit's receivers take addresses, the older ones live sound.
    private func device(_ receiver: FakeReceiver, _ access: AirPlayDeviceFacts.Access) throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(receiver.port)))
        var text = ["access": access.rawValue, "metadata": ""]
        if access != .legacyCode { text["video-port"] = String(receiver.port) }
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Den",
                capabilities: access == .legacyCode ? .realtimeAudioStreaming : .urlPlayback,
                deviceType: .tv, volumeControl: .absolute, canMute: true,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)],
                txtRecords: [NWTXTRecord(text)]))
    }

    private func receiver(_ door: ReceiverDoor) async throws -> FakeReceiver {
        try await FakeReceiver(.init(door: door, screen: door.kind == .homeKit ? ReceiverScreen() : nil))
    }

    private func access(_ kind: ReceiverDoor.Kind) -> AirPlayDeviceFacts.Access {
        kind == .homeKit ? .homeKitCode : .legacyCode
    }

    @Test(arguments: [ReceiverDoor.Kind.homeKit, .legacy])
    func asksForACodeOnceAndNeverAgain(_ kind: ReceiverDoor.Kind) async throws {
        let door = ReceiverDoor(kind)
        let receiver = try await receiver(door)
        let device = try device(receiver, access(kind))
        let session = system.activate(device)
        let request = try await session.pairingRequest()
        #expect(request.method == .numericCode(digits: 4) && request.reason == "“Den” shows a code.")
        #expect(door.now.isCodeShown)
        session.answer("0471")
        try await session.activated()
        #expect(!door.now.isCodeShown && door.now.known.count == 1)
        let verifications = door.now.verifications
        let kept = try #require(system.credential(for: device))
        #expect(kept.range(of: Data("0471".utf8)) == nil)

        // As after a restart: only the stored data is there.
        let later = Self.makeSystem()
        later.setCredential(kept, for: device)
        let again = later.activate(device)
        try await again.activated()
        #expect(door.now.codesShown == 1 && door.now.verifications == verifications + 1)
        await receiver.stop()
    }

    @Test(arguments: [ReceiverDoor.Kind.homeKit, .legacy])
    func aWrongCodeIsToldAndAnotherOneAskedFor(_ kind: ReceiverDoor.Kind) async throws {
        let door = ReceiverDoor(kind)
        let receiver = try await receiver(door)
        let device = try device(receiver, access(kind))
        let wrong = system.activate(device)
        _ = try await wrong.pairingRequest()
        wrong.answer("0472")
        let error = try await #require(throws: ReportedError.self) { try await wrong.activated() }
        #expect(error.code == "authorization-failed" && error.message == "The device does not accept the code.")
        #expect(system.credential(for: device) == nil && door.now.known.isEmpty)
        let right = system.activate(device)
        _ = try await right.pairingRequest()
        #expect(door.now.codesShown == 2)
        right.answer(" 0471 ")
        try await right.activated()
        await receiver.stop()
    }

    @Test(arguments: [ReceiverDoor.Kind.homeKit, .legacy])
    func whoThinksBetterOfItFreesTheScreen(_ kind: ReceiverDoor.Kind) async throws {
        let door = ReceiverDoor(kind)
        let receiver = try await receiver(door)
        let device = try device(receiver, access(kind))
        let cancelled = system.activate(device)
        _ = try await cancelled.pairingRequest()
        cancelled.answer(nil)
        let error = try await #require(throws: ReportedError.self) { try await cancelled.activated() }
        #expect(error.code == "authorization-failed")
        await eventually("the screen is free") { !door.now.isCodeShown }
        let left = system.activate(device)
        _ = try await left.pairingRequest()
        #expect(door.now.isCodeShown)
        left.deactivate()
        await eventually("the screen is free again") { !door.now.isCodeShown }
        await receiver.stop()
    }

    @Test func aPauseIsToldWithItsTimeAndKept() async throws {
        let door = ReceiverDoor(.homeKit, startAnswer: (200, [6, 1, 2, 7, 1, 3, 8, 2, 0x2C, 1]))
        let receiver = try await receiver(door)
        let device = try device(receiver, .homeKitCode)
        let first = try await #require(throws: ReportedError.self) { try await system.activate(device).activated() }
        #expect(first.code == "device-refused" && first.message == "The device takes no code for the next 300 s.")
        let shown = door.now.codesShown
        let second = try await #require(throws: ReportedError.self) { try await system.activate(device).activated() }
        #expect(second.code == "device-refused" && second.message.hasPrefix("The device takes no code for the next "))
        #expect(door.now.codesShown == shown, "it was asked within the pause")
        await receiver.stop()
    }

    @Test(
        arguments: [
            (403, [], "Allow Access"), (503, [], "for a while"), (200, [6, 1, 2, 7, 1, 5], "started again"),
            (200, [6, 1, 2, 7, 1, 4], "as many others"),
        ] as [(Int, [UInt8], String)])
    func aReceiverThatLetsNobodyPairSaysWhy(status: Int, body: [UInt8], words: String) async throws {
        let receiver = try await receiver(ReceiverDoor(.homeKit, startAnswer: (status, body)))
        let session = system.activate(try device(receiver, .homeKitCode))
        let error = try await #require(throws: ReportedError.self) { try await session.activated() }
        #expect(error.code == "device-refused" && error.message.contains(words), "\(error)")
        await receiver.stop()
    }

    @Test(arguments: [ReceiverDoor.Kind.homeKit, .legacy])
    func aReceiverThatForgotIsPairedWithAgain(_ kind: ReceiverDoor.Kind) async throws {
        let door = ReceiverDoor(kind)
        let receiver = try await receiver(door)
        let device = try device(receiver, access(kind))
        let session = system.activate(device)
        _ = try await session.pairingRequest()
        session.answer(door.code)
        try await session.activated()
        session.deactivate()
        door.forgetEverybody()
        let later = system.activate(device)
        let request = try await later.pairingRequest()
        #expect(request.reason.contains("has to be paired with again") && request.reason.contains("does not know"))
        #expect(system.credential(for: device) == nil)
        later.answer(door.code)
        try await later.activated()
        #expect(system.credential(for: device) != nil)
        await receiver.stop()
    }

    @Test func aReceiverThatIsAnotherOneIsPairedWithAgain() async throws {
        let receiver = try await receiver(ReceiverDoor(.homeKit))
        let device = try device(receiver, .homeKitCode)
        let stranger = PairedDevice(
            identifier: Array("11:22:33:44:55:66".utf8), publicKey: [UInt8](repeating: 1, count: 32))
        system.setCredential(ReceiverSecret.homeKit(.random(), stranger).data, for: device)
        let request = try await system.activate(device).pairingRequest()
        #expect(request.reason.contains("another device"))
        await receiver.stop()
    }

    /// Its owner turned the code off since.
    @Test func aReceiverThatWantsNoCodeAnyMoreShowsNone() async throws {
        let door = ReceiverDoor(.homeKit)
        let receiver = try await receiver(door)
        let device = try device(receiver, .transient)
        let stranger = PairedDevice(
            identifier: Array("11:22:33:44:55:66".utf8), publicKey: [UInt8](repeating: 1, count: 32))
        system.setCredential(ReceiverSecret.homeKit(.random(), stranger).data, for: device)
        try await system.activate(device).activated()
        #expect(door.now.codesShown == 0 && system.credential(for: device) == nil)
        await receiver.stop()
    }

    @Test func aReceiverThatPutsItsCodeAwayEndsTheQuestion() async throws {
        let door = ReceiverDoor(.homeKit)
        let receiver = try await receiver(door)
        let session = system.activate(try device(receiver, .homeKitCode))
        _ = try await session.pairingRequest()
        receiver.hangUp()
        let error = try await #require(throws: ReportedError.self) { try await session.activated() }
        #expect(error.code == "authorization-failed" && error.message.contains("has put its code away"))
        await receiver.stop()
    }

    @Test func aCodeThatIsNotShownAnyMoreIsNoWrongOne() async throws {
        let door = ReceiverDoor(.homeKit)
        let receiver = try await receiver(door)
        let session = system.activate(try device(receiver, .homeKitCode))
        _ = try await session.pairingRequest()
        receiver.hangUp()
        await eventually("the screen is left") { !door.now.isCodeShown }
        // This side hears of it in its own time.
        session.answer(door.code)
        let error = try await #require(throws: ReportedError.self) { try await session.activated() }
        #expect(["authorization-failed", "unreachable"].contains(error.code) && door.now.wrongCodes == 0)
        await receiver.stop()
    }

    @Test func aConnectionIsEncryptedWithoutACodeWhereTheReceiverWantsIt() async throws {
        let screen = ReceiverScreen()
        let receiver = try await FakeReceiver(.init(door: ReceiverDoor(.homeKit), screen: screen))
        try await system.activate(device(receiver, .transient)).activated()
        #expect(screen.now.requests.map(\.uri) == ["/playback-info"])
        await receiver.stop()
    }

    @Test func soundIsSentOnceItIsPairedWith() async throws {
        let door = ReceiverDoor(.legacy)
        let receiver = try await receiver(door)
        let session = system.activate(try device(receiver, .legacyCode))
        _ = try await session.pairingRequest()
        session.answer(door.code)
        try await session.activated()
        let file = try WaveFile(seconds: 0.5)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url)
        try await session.ended()
        #expect(receiver.now().payloads == file.payloads())
        await receiver.stop()
    }
}

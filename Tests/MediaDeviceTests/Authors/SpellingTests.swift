import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("Both spellings work", .timeLimit(.minutes(1)))
struct SpellingTests {
    @Test("an extension of an early beta, from discovery to data")
    func earlyBeta() async throws {
        let link = try await ExtensionLink<EarlyBetaExtension>.greeted()
        try await link.host.call("StartDeviceDiscovery")
        let found = try await link.next().decode(DeviceDescription.self, at: 0)
        #expect(found.id == UUID(version5: "early-beta-device").uuidString)
        #expect(found.type == "speaker" && found.endpoints.isEmpty)

        let device = try #require(MediaOutputDevice(found))
        try await link.activate(device)
        let challenge = try await link.next().decode(PairingChallenge.self, at: 2)
        #expect(
            challenge
                == PairingChallenge(
                    method: .numericCode, length: 4, reason: "Enter the code on the speaker's display"))
        try await link.host.call(
            "ConnectUsingPairingCode", [.boolean(false), .string("1234"), .string(found.id), .string("s1")])
        #expect(try await link.next().member == "ActivatedDevice")

        try await link.startSession()
        let started = try await link.next()
        #expect(started.member == "Started")
        #expect(try started.decode(PlaybackState.self, at: 2).title == "A song")
        let seek = PlaybackCommand(.seek, number: 33)
        try await link.host.call("PlaybackCommand", [.string("s1"), try DBusDictionaryEncoder().encode(seek)])
        let moved = try await link.next()
        #expect(moved.member == "PlaybackChanged")
        #expect(try moved.decode(PlaybackState.self, at: 1).position.value == 33)

        try await link.host.call("SendData", [.bytes(Array("hi".utf8)), .string("app"), .string("s1")])
        #expect(
            try await link.next()
                == .init(
                    member: "ReceiveData", arguments: [.bytes(Array("hi!".utf8)), .string("app"), .string("s1")]))
    }

    @Test("an early beta's cancelled pairing fails the activation")
    func earlyBetaCancelled() async throws {
        let link = try await ExtensionLink<EarlyBetaExtension>.greeted()
        try await link.activate()
        _ = try await link.next()
        let id = DBusValue.string(MediaOutputDevice.sampleID.uuidString)
        try await link.host.call("ConnectUsingPairingCode", [.boolean(true), .string(""), id, .string("s1")])
        let failed = try await link.next()
        #expect(failed.member == "FailedToActivate")
        #expect(failed.arguments[2] == .string("authorization-failed"))
    }

    @Test("an extension of the released framework, from activation to data")
    func framework() async throws {
        let link = try await ExtensionLink<FrameworkExtension>.greeted()
        try await link.activate()
        #expect(try await link.next().member == "ActivatedDevice")
        try await link.startSession()
        #expect(try await link.next().decode(PlaybackState.self, at: 2).title == "A film")
        let seek = PlaybackCommand(.seek, number: 33)
        try await link.host.call("PlaybackCommand", [.string("s1"), try DBusDictionaryEncoder().encode(seek)])
        #expect(try await link.next().decode(PlaybackState.self, at: 1).position.value == 33)
        try await link.host.call("SendData", [.bytes([1]), .string("app"), .string("s1")])
        #expect(
            try await link.next()
                == .init(member: "ReceiveData", arguments: [.bytes([1]), .string("app"), .string("s1")]))
    }

    @Test("an extension that is a structure, without data")
    func structure() async throws {
        let link = try await ExtensionLink<StructureExtension>.greeted()
        try await link.host.call("StartDeviceDiscovery")
        #expect(try await link.next().member == "DiscoveryFailed")
        try await link.startSession()
        // Taken by neither spelling, and neither calls the other in a circle.
        try await link.host.call("SendData", [.bytes([1]), .string("app"), .string("s1")])
        link.extension.receiveData(Data(), fromApplication: "app", session: MediaOutputSession(id: "s1"))
    }
}

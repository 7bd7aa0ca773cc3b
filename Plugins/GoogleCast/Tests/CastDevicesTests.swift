import Foundation
import PlaybackKit
import Testing

@testable import GoogleCastExtension

@MainActor
struct CastDevicesTests {
    private let devices = CastDevices()

    private func sighting(port: NWEndpoint.Port, _ record: [String: String]) -> Sighting {
        Sighting(
            devices.sources[0], name: "Chromecast-1", hostName: "a.local",
            endpoints: [.hostPort(host: "192.0.2.1", port: port)], record: record)
    }

    @Test func theIdentifierIsTheIdentityAndNotTheAddress() throws {
        let before = sighting(port: 8009, ["id": "6F4F-0A", "fn": "Kitchen", "ca": "4101"])
        let after = sighting(port: 42_000, ["id": "6f4f0a", "fn": "Old Kitchen", "ca": "4101"])
        let identity = try #require(devices.identity(of: before))
        #expect(devices.identity(of: after) == identity)
        let device = try #require(devices.device(identity, from: [before]))
        let moved = try #require(devices.device(identity, from: [after]))
        #expect(device.id == moved.id && device.displayName == "Kitchen" && moved.displayName == "Old Kitchen")
        #expect(device.deviceType == .tv && device.networkEndpoints.count == 1)
    }

    @Test func aGroupIsADeviceOfItsOwn() throws {
        let group = sighting(port: 32_187, ["id": "g", "fn": "Everywhere", "ca": "36", "md": "Google Cast Group"])
        let device = try #require(devices.device("g", from: [group]))
        #expect(device.deviceType == .hifiSpeakerTwo)
    }

    @Test func whatRunsIsTold() throws {
        func playing(_ record: [String: String]) throws -> String? {
            let device = try #require(devices.device("a", from: [sighting(port: 8009, record)]))
            return device.txtRecords.first?.dictionary["playing"]
        }
        #expect(try playing(["id": "a", "st": "1", "rs": "YouTube"]) == "YouTube")
        #expect(try playing(["id": "a", "st": "0", "rs": "Backdrop"])?.isEmpty == true)
        #expect(try playing(["id": "a"])?.isEmpty == true)
    }

    @Test func aTokenIsSmall() throws {
        let token = CastToken(application: UUID().uuidString, media: .max, hasLaunched: true)
        #expect(try JSONEncoder().encode(token).count < 4096)
    }
}

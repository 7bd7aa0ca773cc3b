import Foundation
import Testing

@testable import PlaybackKit

struct DeviceAnnouncementTests {
    @Test func readsUniqueServiceNames() {
        #expect(
            DeviceAnnouncement.deviceKey(of: "uuid:12-34::urn:schemas-upnp-org:device:MediaRenderer:2") == "uuid:12-34")
        #expect(DeviceAnnouncement.deviceKey(of: " UUID:1::upnp:rootdevice ") == "uuid:1")
        #expect(DeviceAnnouncement.deviceKey(of: "UUID:A") == "uuid:a")
        #expect(DeviceAnnouncement.deviceKey(of: "urn:x") == nil)
    }

    @Test func boundsWhatWaits() throws {
        var pending = PendingAnnouncements(bounds: .init(devices: 8, devicesPerSender: 3, perDevice: 2))
        func announcement(
            _ name: String, at path: String, from sender: String
        ) throws -> DeviceAnnouncement {
            .init(
                usn: name, location: try #require(URL(string: "http://198.51.100.1/\(path)")), bootIdentifier: nil,
                addresses: [sender])
        }
        for sender in 0..<5 {
            for device in 0..<5 {
                let key = "\(sender)-\(device)"
                _ = pending.add(try announcement(key, at: "a", from: "\(sender)"), of: key)
            }
        }
        #expect(pending.count == 8)
        // One of a name, the newest.
        #expect(!pending.add(try announcement("0-0", at: "b", from: "0"), of: "0-0"))
        #expect(pending.next(of: "0-0")?.location.path() == "/b")
        #expect(pending.next(of: "0-0") == nil)
        #expect(pending.count == 7)
    }

    @Test func takesTheAddressesOfItsSighting() throws {
        let location = try #require(URL(string: "http://198.51.100.1/a"))
        let sighting = Sighting(
            .ssdp("x"), name: "uuid:1", endpoints: [.hostPort(host: "198.51.100.1", port: 80)],
            record: ["BOOTID.UPNP.ORG": "7"], location: location)
        let announcement = try #require(DeviceAnnouncement(sighting))
        #expect(announcement.addresses == ["198.51.100.1"] && announcement.bootIdentifier == "7")
        #expect(DeviceAnnouncement(Sighting(.ssdp("x"), name: "uuid:1", endpoints: [])) == nil)
        #expect(DeviceAnnouncement(usn: "uuid:1", location: location, bootIdentifier: nil).sender == "198.51.100.1")
    }
}

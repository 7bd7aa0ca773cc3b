import DeviceConnections
import Foundation
import PlaybackKit
import Testing

@testable import KodiExtension

@MainActor
struct KodiDevicesTests {
    private let devices = KodiDevices()

    private func sighting(_ source: SightingSource, port: NWEndpoint.Port, uuid: String?) -> Sighting {
        Sighting(
            source, name: "Kodi Room", hostName: "tv.local",
            endpoints: [.hostPort(host: "192.0.2.1", port: port), .hostPort(host: "192.0.2.2", port: port)],
            record: uuid.map { ["uuid": $0] } ?? [:])
    }

    @Test func bothServicesAreOneDevice() throws {
        let tcp = sighting(KodiDevices.tcp, port: 9090, uuid: "E693")
        let http = sighting(KodiDevices.http, port: 8080, uuid: "e693")
        let identity = try #require(devices.identity(of: tcp))
        #expect(devices.identity(of: http) == identity)
        let device = try #require(devices.device(identity, from: [tcp, http]))
        #expect(device.displayName == "Kodi Room" && device.networkEndpoints.count == 4)
        #expect(device.endpoints(of: "tcp") == tcp.endpoints && device.endpoints(of: "http") == http.endpoints)
        let single = try #require(devices.device(identity, from: [http]))
        #expect(single.id == device.id && single.endpoints(of: "tcp").isEmpty)
        #expect(devices.identity(of: sighting(KodiDevices.tcp, port: 9090, uuid: nil)) == "tv.local/Kodi Room")
        #expect(device.deduplicationIdentifiers.isEmpty, "its DLNA and AirPlay names have nothing in common with it")
    }

    @Test func aSecretIsAPasswordOrALogin() {
        #expect(KodiLogin.all(.none) == [nil])
        #expect(KodiLogin.all(.entered("s3")) == [KodiLogin(user: "kodi", password: "s3")])
        #expect(
            KodiLogin.all(.entered("me:s:3")) == [
                KodiLogin(user: "kodi", password: "me:s:3"), KodiLogin(user: "me", password: "s:3"),
            ])
        #expect(KodiLogin.all(.stored(Data("me:s:3".utf8))) == [KodiLogin(user: "me", password: "s:3")])
    }
}

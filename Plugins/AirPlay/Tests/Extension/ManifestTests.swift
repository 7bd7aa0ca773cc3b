import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import Testing

@testable import AirPlayExtension

@MainActor
struct ManifestTests {
    @Test func agreesWithTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Extension/AirPlay.mdext/Info.plist")
        let manifest = try ExtensionManifest(contentsOf: file)
        let program = AirPlayExtension()
        #expect(manifest.mismatches(with: program) == [])
        #expect(manifest.requestedDomains == [])
        #expect(manifest.identifier == "org.mdhost.airplay" && manifest.executable == "mdhost-airplay")
        #expect(manifest.bonjourServices == AirPlayRecord.Service.allCases.map(\.rawValue))
        #expect(manifest.announcedServices == [RemoteIdentity.serviceType] && manifest.takesReverseConnections)
        #expect(program.supportsSimultaneousSessions)
    }
}

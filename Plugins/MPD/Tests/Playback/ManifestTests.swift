import Foundation
import MediaDeviceTesting
import Testing

@testable import MPDExtension

@MainActor
struct ManifestTests {
    @Test func agreesWithTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Extension/MPD.mdext/Info.plist")
        let manifest = try ExtensionManifest(contentsOf: file)
        let program = MPDExtension()
        #expect(manifest.mismatches(with: program) == [])
        #expect(manifest.requestedDomains == [])
        #expect(manifest.identifier == "org.mdhost.mpd" && manifest.executable == "mdhost-mpd")
        #expect(manifest.bonjourServices == [MPDDevices.serviceType])
        #expect(program.supportsSimultaneousSessions)
    }
}

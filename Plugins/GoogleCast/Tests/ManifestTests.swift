import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

@testable import GoogleCastExtension

@MainActor
struct ManifestTests {
    @Test func agreesWithTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Extension/GoogleCast.mdext/Info.plist")
        let manifest = try ExtensionManifest(contentsOf: file)
        let program = GoogleCastExtension()
        #expect(manifest.mismatches(with: program) == [])
        #expect(manifest.requestedDomains == [])
        #expect(manifest.identifier == "org.mdhost.googlecast" && manifest.executable == "mdhost-googlecast")
        #expect(manifest.bonjourServices == ["_googlecast._tcp"])
        #expect((program as any MediaDeviceExtension).supportsSimultaneousSessions, "each device plays by itself")
    }
}

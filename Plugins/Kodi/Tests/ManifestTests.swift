import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

@testable import KodiExtension

@MainActor
struct ManifestTests {
    @Test func agreesWithTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Extension/Kodi.mdext/Info.plist")
        let manifest = try ExtensionManifest(contentsOf: file)
        let program = KodiExtension()
        #expect(manifest.mismatches(with: program) == [])
        #expect(manifest.requestedDomains == [])
        #expect(manifest.identifier == "org.mdhost.kodi" && manifest.executable == "mdhost-kodi")
        #expect(manifest.bonjourServices == ["_xbmc-jsonrpc._tcp", "_xbmc-jsonrpc-h._tcp"])
        #expect((program as any MediaDeviceExtension).supportsSimultaneousSessions, "each Kodi plays by itself")
    }
}

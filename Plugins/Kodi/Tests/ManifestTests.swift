import Foundation
import PlaybackKit
import Testing

@testable import KodiExtension

/// The manifest says what the program does, or the host looks for the wrong things.
@MainActor
struct ManifestTests {
    struct Manifest: Decodable {
        struct Attributes: Decodable {
            let EXExtensionPointIdentifier: String
            let MDRequestedDomains: [String]
        }
        struct Declaration: Decodable {
            let UTTypeIdentifier: String
            let UTTypeDescription: String
            let UTTypeConformsTo: [String]
        }
        let CFBundleIdentifier: String
        let CFBundleExecutable: String
        let CFBundleDisplayName: String
        let CFBundleShortVersionString: String
        let EXAppExtensionAttributes: Attributes
        let UTExportedTypeDeclarations: [Declaration]
        let NSBonjourServices: [String]
    }

    @Test func agreesWithTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Extension/Kodi.mdext/Info.plist")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(manifest.CFBundleIdentifier == "org.mdhost.kodi")
        #expect(manifest.CFBundleExecutable == "mdhost-kodi")
        #expect(manifest.EXAppExtensionAttributes.EXExtensionPointIdentifier == "com.apple.media-device-extension")
        #expect(manifest.EXAppExtensionAttributes.MDRequestedDomains == [])
        #expect(manifest.NSBonjourServices == ["_xbmc-jsonrpc._tcp", "_xbmc-jsonrpc-h._tcp"])
        let declaration = try #require(manifest.UTExportedTypeDeclarations.first)
        #expect(declaration.UTTypeConformsTo == ["public.media-sharing-protocol"])
        let subject = KodiExtension()
        #expect(subject.protocolType.identifier == declaration.UTTypeIdentifier)
        #expect(subject.supportsSimultaneousSessions)
    }
}

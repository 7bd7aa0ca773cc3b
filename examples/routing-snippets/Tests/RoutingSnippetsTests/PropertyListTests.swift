import Foundation
import MediaDevice
import Testing

@testable import DeviceExtensionArticle
@testable import DeviceExtensionCanonical

@MainActor
@Suite("Property lists")
struct PropertyListTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func list(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: Self.package.appending(path: path))
        return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    @Test("the exported type is the protocol that the extension names")
    func identifiers() throws {
        for (path, identifier) in [
            (
                "Sources/DeviceExtensionCanonical/MyDevice.mdext/Info.plist",
                DeviceExtensionCanonical.MyDeviceExtension().protocolType.identifier
            ),
            (
                "Sources/DeviceExtensionArticle/MyArticleDevice.mdext/Info.plist",
                DeviceExtensionArticle.MyDeviceExtension().protocolType.identifier
            ),
        ] {
            let types = try #require(list(path)["UTExportedTypeDeclarations"] as? [[String: Any]])
            #expect(types.compactMap { $0["UTTypeIdentifier"] as? String } == [identifier])
            #expect(types.first?["UTTypeConformsTo"] as? [String] == ["public.media-sharing-protocol"])
        }
    }

    @Test("the app declares both protocols and playback of addresses")
    func application() throws {
        let list = try list("MediaApp-Info.plist")
        let protocols = try #require(list["MDESupportedProtocols"] as? [String: String])
        #expect(protocols[DeviceExtensionCanonical.MyDeviceExtension().protocolType.identifier] != nil)
        #expect(protocols[DeviceExtensionArticle.MyDeviceExtension().protocolType.identifier] != nil)
        #expect(list["MDESupportsUniversalURLPlayback"] as? Bool == true)
    }
}

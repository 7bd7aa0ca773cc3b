import Foundation
import MediaDeviceTesting
import Testing

@MainActor
struct ExtensionManifestTests {
    private final class Program: MediaDeviceExtension {
        let protocolType = UTType(exportedAs: "org.example.kitchen")
        func startDeviceDiscovery() {}
        func stopDeviceDiscovery() {}
        func activateDevice(
            _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
        ) {}
        func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
        func connectUsingPairingCode(
            _ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession
        ) {}
        func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
        func volume(for device: MediaOutputDevice) -> Float { 0 }
        func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {}
        func stopSession(_ session: MediaOutputSession) {}
    }

    private func manifest(_ type: String, parent: String, point: String) throws -> ExtensionManifest {
        let list: [String: Any] = [
            "CFBundleIdentifier": "org.example.kitchen.extension", "CFBundleExecutable": "KitchenExtension",
            "EXAppExtensionAttributes": ["EXExtensionPointIdentifier": point],
            "UTExportedTypeDeclarations": [["UTTypeIdentifier": type, "UTTypeConformsTo": [parent]]],
            "NSBonjourServices": ["_kitchen._tcp"],
        ]
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: file)
        return try ExtensionManifest(contentsOf: file)
    }

    @Test func saysWhatDoesNotFit() throws {
        let point = "com.apple.media-device-extension"
        let parent = "public.media-sharing-protocol"
        let right = try manifest("org.example.kitchen", parent: parent, point: point)
        #expect(right.mismatches(with: Program()) == [])
        #expect(right.bonjourServices == ["_kitchen._tcp"] && right.searchTargets == [])
        let wrong = [
            try manifest("org.example.bath", parent: parent, point: point),
            try manifest("org.example.kitchen", parent: "public.data", point: point),
            try manifest("org.example.kitchen", parent: parent, point: "another"),
        ]
        for manifest in wrong { #expect(manifest.mismatches(with: Program()).count == 1) }
    }
}

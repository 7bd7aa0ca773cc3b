import Foundation
import HostCore
import Testing

@testable import HostExtensions

@Suite struct ExtensionManifestTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\n", to: "a.mdext/good", mode: 0o755)
    }

    private func read(_ info: InfoPlist) throws -> ExtensionManifest {
        try folder.write(info.text, to: "a.mdext/Info.plist")
        return try ExtensionManifest.read(bundle: folder.path + "/a.mdext")
    }

    private func failure(_ change: (inout InfoPlist) -> Void) -> ExtensionManifestError? {
        var info = InfoPlist()
        change(&info)
        do {
            _ = try read(info)
            return nil
        } catch {
            return error as? ExtensionManifestError
        }
    }

    @Test func readsEveryKey() throws {
        let manifest = try read(InfoPlist())
        #expect(manifest.identifier == "org.example.good")
        #expect(manifest.displayName == "Good")
        #expect(manifest.version == "1.2")
        #expect(manifest.executablePath == folder.path + "/a.mdext/good")
        #expect(manifest.protocols == [.init(identifier: "org.example.sharing", name: "Example Sharing")])
        #expect(manifest.requestedDomains == ["https://example.org"])
        #expect(manifest.bonjourServices == ["_example._tcp"])
        #expect(manifest.ssdpSearchTargets == ["urn:schemas-upnp-org:device:MediaRenderer:1"])
    }

    @Test func whatItAnnouncesIsServiceTypes() throws {
        var info = InfoPlist()
        #expect(try read(info).announcedServices.isEmpty)
        info.extra = "<key>MDHostAnnouncedServices</key><array><string>_dacp._tcp.</string></array>"
        #expect(try read(info).announcedServices == ["_dacp._tcp"])
        let error = failure { $0.extra = info.extra.replacing("_dacp._tcp.", with: "dacp") }
        #expect(error?.key == "MDHostAnnouncedServices")
    }

    @Test func optionalKeysMayBeMissing() throws {
        var info = InfoPlist()
        (info.displayName, info.domains, info.bonjour, info.ssdp) = ("", "", "", "")
        let manifest = try read(info)
        #expect(manifest.displayName == "org.example.good")
        #expect(manifest.requestedDomains.isEmpty && manifest.bonjourServices.isEmpty)
    }

    @Test func aSingleConformanceMayBeAString() throws {
        var info = InfoPlist()
        info.types = """
            <array><dict><key>UTTypeIdentifier</key><string>org.example.x</string>
            <key>UTTypeConformsTo</key><string>public.media-sharing-protocol</string></dict></array>
            """
        #expect(try read(info).protocols == [.init(identifier: "org.example.x", name: "org.example.x")])
    }

    @Test(arguments: [
        "CFBundleIdentifier", "CFBundleExecutable", "UTExportedTypeDeclarations",
    ])
    func missingKeysAreNamed(key: String) {
        let error = failure { $0[key] = "" }
        #expect(error?.key == key)
        #expect(error?.reason == .missingKey)
        #expect(error?.message.contains(key) == true && error?.message.contains("Info.plist") == true)
    }

    @Test func aSilentManifestIsForDevicesWhereItHasAProtocol() throws {
        var info = InfoPlist()
        info.point = ""
        #expect(try read(info).point == .mediaDevice)
        info.types = ""
        let remote = try read(info)
        #expect(remote.point == .remoteMedia && remote.protocols.isEmpty)
    }

    @Test(arguments: [
        ("CFBundleIdentifier", "a string"), ("CFBundleExecutable", "a string"), ("NSBonjourServices", "an array"),
        ("UTExportedTypeDeclarations", "an array"), ("EXAppExtensionAttributes.MDRequestedDomains", "an array"),
    ])
    func wrongTypesAreNamed(key: String, expected: String) {
        let error = failure { $0[key] = "<integer>7</integer>" }
        #expect(error?.key == key)
        #expect(error?.reason == .wrongType(expected: expected))
    }

    @Test func aWrongElementIsNamedWithItsIndex() {
        let error = failure { $0.bonjour = "<array><string>_a._tcp</string><integer>1</integer></array>" }
        #expect(error?.key == "NSBonjourServices.1")
    }

    @Test(arguments: ["../good", "/bin/sh", ".", "..", "", "a/../good"])
    func programsOutsideTheBundleAreRefused(name: String) {
        let error = failure { $0.executable = "<string>\(name)</string>" }
        #expect(error?.key == "CFBundleExecutable")
        #expect(error?.reason == .invalidValue("must be a file name without a path"))
    }

    @Test func aMissingProgramTellsWhereItWasLookedFor() {
        let error = failure { $0.executable = "<string>absent</string>" }
        #expect(error?.reason == .executableMissing(lookedAt: [folder.path + "/a.mdext/absent"]))
    }

    @Test func aProgramMustBeExecutable() throws {
        let path = try folder.write("text", to: "a.mdext/plain")
        #expect(failure { $0.executable = "<string>plain</string>" }?.reason == .executableNotRunnable(path: path))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a.mdext/folder", withIntermediateDirectories: true)
        let error = failure { $0.executable = "<string>folder</string>" }
        #expect(error?.reason == .executableNotRunnable(path: folder.path + "/a.mdext/folder"))
    }

    @Test func otherExtensionPointsAreRefused() {
        let error = failure { $0.point = "<string>com.apple.share-services</string>" }
        #expect(error?.reason == .wrongExtensionPoint(found: "com.apple.share-services"))
    }

    @Test func someProtocolMustBeForMediaSharing() {
        let error = failure {
            $0.types = $0.types.replacing("public.media-sharing-protocol", with: "public.image")
        }
        #expect(error?.key == "UTExportedTypeDeclarations")
    }

    @Test(arguments: ["..", ".hidden", "a/b", "a b", "ä", String(repeating: "a", count: 201)])
    func identifiersThatAreNoFolderNameAreRefused(identifier: String) {
        let error = failure { $0.identifier = "<string>\(identifier)</string>" }
        #expect(error?.key == "CFBundleIdentifier")
    }

    @Test(arguments: ["_tcp", "example._tcp", "_example._sctp", "_a b._tcp", "_abcdefghijklmnop._tcp", "_a._tcp.local"])
    func serviceTypesMustBeServiceTypes(type: String) {
        #expect(failure { $0.bonjour = "<array><string>\(type)</string></array>" }?.key == "NSBonjourServices")
    }

    @Test func searchTargetsCannotCarryHeaders() {
        let error = failure { $0.ssdp = "<array><string>a&#13;&#10;HOST: x</string></array>" }
        #expect(error?.key == "MDHostSSDPSearchTargets")
    }

    @Test func namesCannotReverseTheText() {
        #expect(failure { $0.displayName = "<string>a\u{202E}b</string>" }?.key == "CFBundleDisplayName")
    }

    @Test func deepNestingIsRefusedAndDoesNotEndTheProcess() {
        let depth = 20_000
        let error = failure {
            $0.extra =
                "<key>x</key>" + String(repeating: "<array>", count: depth)
                + String(repeating: "</array>", count: depth)
        }
        #expect(error?.reason == .notAPropertyList("it nests too deeply"))
    }

    @Test(arguments: ["", "{ a = b; }", "bplist00\u{0}", "<html></html>", "<?xml version=\"1.0\"?><plist><dict>"])
    func otherFormatsAreRefused(text: String) throws {
        try folder.write(text, to: "a.mdext/Info.plist")
        #expect {
            try ExtensionManifest.read(bundle: folder.path + "/a.mdext")
        } throws: { error in
            guard case .notAPropertyList = (error as? ExtensionManifestError)?.reason else { return false }
            return true
        }
    }

    @Test func hugeFilesAreRefused() {
        let error = failure { $0.extra = "<!-- " + String(repeating: "x", count: 1 << 20) + " -->" }
        #expect(error?.reason == .tooLarge(limit: 1 << 20))
    }

    @Test func aPipeInPlaceOfTheFileDoesNotBlock() throws {
        let path = folder.path + "/a.mdext/Info.plist"
        try? FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: ExtensionManifestError(file: path, .notARegularFile)) {
            try ExtensionManifest.read(bundle: folder.path + "/a.mdext")
        }
    }

    @Test func aMissingFileSaysSo() {
        #expect(
            throws: ExtensionManifestError(
                file: folder.path + "/b.mdext/Info.plist", .unreadable("No such file or directory"))
        ) {
            try ExtensionManifest.read(bundle: folder.path + "/b.mdext")
        }
    }
}

import Foundation
import Testing

@testable import HostExtensions

/// Bundles that were made to get more access than an extension has.
@Suite struct ExtensionInstallationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bundle(_ place: String, program: String = "good") throws {
        var info = InfoPlist()
        info.executable = "<string>\(program)</string>"
        try folder.write(info.text, to: "\(place)/Info.plist")
        try folder.write("#!/bin/sh\n", to: "\(place)/good", mode: 0o755)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }

    private func install(_ bundle: String) throws -> String {
        let manifest = try ExtensionManifest.read(bundle: folder.path + "/" + bundle)
        return try ExtensionInstallation.install(manifest, into: folder.path + "/installed")
    }

    /// Installed as a link, the whole folder to which it leads would be the extension's own.
    @Test func aBundleThatIsALinkIsCopied() throws {
        try bundle("home")
        try link("Evil.mdext", to: folder.path + "/home")
        let installed = try install("Evil.mdext")
        try folder.write("secret", to: "home/later")
        #expect(
            try FileManager.default.attributesOfItem(atPath: installed)[.type] as? FileAttributeType == .typeDirectory)
        #expect(!FileManager.default.fileExists(atPath: installed + "/later"))
        #expect(FileManager.default.isExecutableFile(atPath: installed + "/good"))
    }

    /// The target of a link in a bundle isn't among the places that an extension may read, so the link is harmless.
    @Test func aLinkInABundleIsNotFollowed() throws {
        try folder.write("secret", to: "secret")
        try bundle("Evil.mdext")
        try link("Evil.mdext/leak", to: folder.path + "/secret")
        let installed = try install("Evil.mdext")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: installed + "/leak") == folder.path + "/secret")
    }

    @Test(arguments: ["../good", "/bin/sh", "..", "sub/good"]) func aProgramElsewhereIsRefused(_ program: String) throws
    {
        try bundle("Evil.mdext", program: program)
        #expect(throws: ExtensionManifestError.self) { try install("Evil.mdext") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/installed"))
    }

    /// Reading them would never end.
    @Test func aManifestThatIsNoFileIsRefused() throws {
        for name in ["Pipe", "Device"] {
            try bundle("\(name).mdext")
            try FileManager.default.removeItem(atPath: folder.path + "/\(name).mdext/Info.plist")
        }
        try #require(mkfifo(folder.path + "/Pipe.mdext/Info.plist", 0o600) == 0)
        try link("Device.mdext/Info.plist", to: "/dev/zero")
        for name in ["Pipe", "Device"] {
            #expect(throws: ExtensionManifestError.self) { try install("\(name).mdext") }
        }
    }
}

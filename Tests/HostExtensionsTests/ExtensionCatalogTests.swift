import Foundation
import Testing

@testable import HostExtensions

@Suite struct ExtensionCatalogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func install(_ name: String, in place: String, identifier: String) throws {
        var info = InfoPlist()
        info.identifier = "<string>\(identifier)</string>"
        try folder.write(info.text, to: "\(place)/\(name).mdext/Info.plist")
        try folder.write("#!/bin/sh\n", to: "\(place)/\(name).mdext/good", mode: 0o755)
    }

    @Test func theFirstOneWinsAndTheOtherIsReported() throws {
        try install("x", in: "one", identifier: "org.example.same")
        try install("y", in: "two", identifier: "org.example.same")
        try install("z", in: "two", identifier: "org.example.other")
        let catalog = ExtensionCatalog.scan([.init(path: folder.path + "/one"), .init(path: folder.path + "/two")])
        #expect(catalog.manifests.map(\.identifier) == ["org.example.same", "org.example.other"])
        #expect(catalog["org.example.same"]?.bundlePath == folder.path + "/one/x.mdext")
        #expect(catalog.invalid.map(\.path) == [folder.path + "/two/y.mdext"])
        #expect(
            catalog.invalid.first?.error.reason
                == .duplicateIdentifier(identifier: "org.example.same", first: folder.path + "/one/x.mdext"))
    }

    @Test func identifiersThatAreOneOnTheBusDoNotBothCount() throws {
        try install("x", in: "one", identifier: "org.example.a-b")
        try install("y", in: "one", identifier: "org.example.a_b")
        let catalog = ExtensionCatalog.scan([.init(path: folder.path + "/one")])
        #expect(catalog.manifests.map(\.identifier) == ["org.example.a-b"])
        #expect(
            catalog.invalid.first?.error.message.contains("is “org.example.a_b”, too close to “org.example.a-b” of")
                == true)
    }

    @Test func badOnesDoNotHideGoodOnes() throws {
        try install("good", in: "e", identifier: "org.example.good")
        try folder.write("nonsense", to: "e/bad.mdext/Info.plist")
        try folder.write("no bundle", to: "e/README.txt")
        let catalog = ExtensionCatalog.scan([.init(path: folder.path + "/e"), .init(path: folder.path + "/absent")])
        #expect(catalog.manifests.map(\.identifier) == ["org.example.good"])
        #expect(catalog.invalid.map(\.path) == [folder.path + "/e/bad.mdext"])
    }

    @Test func oneFolderUnderTwoNamesIsSearchedOnce() throws {
        try install("x", in: "one", identifier: "org.example.a")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/alias", withDestinationPath: folder.path + "/one")
        let catalog = ExtensionCatalog.scan([.init(path: folder.path + "/one"), .init(path: folder.path + "/alias")])
        #expect(catalog.manifests.count == 1)
        #expect(catalog.invalid.isEmpty)
    }

    @Test func aBuildFolderHoldsProgramsBesideTheResources() throws {
        try folder.write(InfoPlist().text, to: "build/mdhost_Good.resources/Good.mdext/Info.plist")
        let program = try folder.write("#!/bin/sh\n", to: "build/good", mode: 0o755)
        let folders = ExtensionCatalog.standardFolders(environment: [:], executable: folder.path + "/build/mdhost")
        let catalog = ExtensionCatalog.scan(folders.filter { $0.path.hasPrefix(folder.path) })
        #expect(catalog.manifests.map(\.executablePath) == [program])
        #expect(catalog.invalid.isEmpty)
    }

    @Test func theSearchOrder() {
        let environment = [
            "MDHOST_EXTENSION_PATH": "/first::/second:relative", "XDG_DATA_HOME": "/data", "HOME": "/home/x",
        ]
        let folders = ExtensionCatalog.standardFolders(environment: environment, executable: "/opt/bin/mdhost")
        #expect(
            folders.map(\.path) == [
                "/first", "/second", "/data/mdhost/extensions", "/opt/bin", "/opt/bin/../lib/mdhost/extensions",
                "/usr/local/lib/mdhost/extensions", "/usr/lib/mdhost/extensions",
            ])
        #expect(folders.first { $0.path == "/opt/bin" }?.executableFolder == "/opt/bin")
        #expect(
            ExtensionCatalog.standardFolders(environment: ["HOME": "/home/x"], executable: nil).first?.path
                == "/home/x/.local/share/mdhost/extensions")
    }

    @Test func oneBundleIsTakenOverFromAnotherSearch() throws {
        for name in ["a", "b", "c"] { try install(name, in: "e", identifier: "org.example.\(name)") }
        let places = [ExtensionCatalog.Folder(path: folder.path + "/e")]
        let before = ExtensionCatalog.scan(places)
        try install("a", in: "e", identifier: "org.example.renamed-a")
        try install("b", in: "e", identifier: "org.example.renamed-b")
        let after = ExtensionCatalog.scan(places)
        let path = folder.path + "/e/b.mdext"
        #expect(
            before.replacing(path, from: after).manifests.map(\.identifier)
                == ["org.example.a", "org.example.renamed-b", "org.example.c"])

        try folder.write("nonsense", to: "e/b.mdext/Info.plist")
        let broken = before.replacing(path, from: ExtensionCatalog.scan(places))
        #expect(broken.manifests.map(\.identifier) == ["org.example.a", "org.example.c"])
        #expect(broken.invalid.map(\.path) == [path])
        #expect(broken.replacing(path, from: before) == before)

        try FileManager.default.removeItem(atPath: path)
        let gone = before.replacing(path, from: ExtensionCatalog.scan(places))
        #expect(gone.manifests.count == 2 && gone.invalid.isEmpty)
    }
}

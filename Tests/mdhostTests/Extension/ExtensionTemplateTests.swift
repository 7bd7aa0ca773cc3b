import Foundation
import HostInterface
import Testing

@testable import mdhost

struct ExtensionTemplateTests {
    private func template(_ name: String, identifier: String? = nil) throws -> ExtensionTemplate {
        try ExtensionTemplate(name: name, identifier: identifier, dependency: .folder("/opt/\"mdhost\""))
    }

    @Test(arguments: [
        ("Kitchen", "Kitchen", "kitchen"), ("living-room", "LivingRoom", "living-room"),
        ("my radio 2", "MyRadio2", "my-radio-2"), ("a", "A", "a"),
        ("Very-Long-Radio-Name", "VeryLongRadioName", "very-long-radio"), ("ab--cd-", "AbCd", "ab-cd"),
        ("abcdefghijklmn-op", "AbcdefghijklmnOp", "abcdefghijklmn"),
    ])
    func namesBecomeTypesAndServices(_ name: String, _ type: String, _ service: String) throws {
        let template = try template(name)
        #expect(template.typeName == type && template.serviceName == service)
        #expect(template.identifier == "org.example.\(service)")
    }

    @Test(arguments: ["", "1radio", "-x", "../x", "a/b", "größe", "x\"y", "a.b", "MediaDevice", "app"])
    func otherNamesAreRefused(_ name: String) {
        #expect(throws: HostError.self) { try template(name) }
    }

    @Test(arguments: ["kitchen", "a..b", "com.acme/x", "com.<x>", ""])
    func otherIdentifiersAreRefused(_ identifier: String) {
        #expect(throws: HostError.self) { try template("Kitchen", identifier: identifier) }
    }

    @Test func nothingOfTheTemplatesOwnNameIsLeft() throws {
        let files = try template("Radio", identifier: "com.acme.radio").files
        #expect(
            files.keys.sorted() == [
                ".gitignore", "Package.swift", "README.md", "Sources/RadioExtension/Radio.mdext/Info.plist",
                "Sources/RadioExtension/RadioExtension.swift", "Sources/RadioExtension/RadioPlayer.swift",
                "Tests/RadioExtensionTests/RadioExtensionTests.swift",
            ])
        for (path, contents) in files {
            #expect(!contents.lowercased().contains("kitchen") && !contents.contains("org.example"), "\(path)")
        }
        #expect(files["Package.swift"]?.contains(#".package(name: "mdhost", path: "/opt/\"mdhost\"")"#) == true)
        let list = try PropertyListSerialization.propertyList(
            from: Data((files["Sources/RadioExtension/Radio.mdext/Info.plist"] ?? "").utf8), format: nil)
        let manifest = try #require(list as? [String: Any])
        #expect(manifest["CFBundleExecutable"] as? String == "RadioExtension")
        #expect(manifest["NSBonjourServices"] as? [String] == ["_radio._tcp"])
        #expect(manifest["CFBundleIdentifier"] as? String == "com.acme.radio.extension")
    }

    @Test func namesMayHaveTheTemplatesOwnInThem() throws {
        let files = try template("My-kitchen-SDK", identifier: "com.kitchen.x").files
        let package = try #require(files["Package.swift"])
        #expect(package.contains("\"MyKitchenSDKExtension\"") && package.contains("path: \"/opt/"))
        let path = "Sources/MyKitchenSDKExtension/MyKitchenSDK.mdext/Info.plist"
        #expect(files[path]?.contains("<string>com.kitchen.x</string>") == true)
        #expect(files[path]?.contains("<string>_my-kitchen-sdk._tcp</string>") == true)
    }

    @Test func anExistingFolderIsLeftAlone() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "template-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try template("Kitchen").write(to: folder)
        #expect(FileManager.default.fileExists(atPath: folder + "/Sources/KitchenExtension/KitchenExtension.swift"))
        #expect(throws: HostError.self) { try template("Kitchen").write(to: folder) }
    }

    /// The tutorial shows the command's output: every line of a listing marked so is in that file.
    @Test func theTutorialShowsTheTemplate() throws {
        let listings = try Tutorial.listings()
        #expect(listings.count >= 4)
        let files = try template("Kitchen").files
        for listing in listings where listing.isTemplate {
            let file = try #require(files.first { $0.key.hasSuffix("/" + listing.file) }, "\(listing.file)")
            let shown = listing.code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let written = Set(file.value.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            for line in shown where line != "// …" {
                #expect(written.contains(line), "\(listing.file): \(line)")
            }
        }
    }
}

/// The tutorial of the MediaDevice documentation.
enum Tutorial {
    struct Listing {
        var file: String
        /// A Boolean value that indicates whether the listing is from the template; otherwise the reader writes it.
        var isTemplate: Bool
        var code: String
    }

    static func text() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/SDK/MediaDevice/MediaDevice.docc/WritingAnExtension.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Swift listings, each after a line `<!-- template FILE -->` or `<!-- replace FILE -->` or `<!-- add FILE -->`.
    static func listings() throws -> [Listing] {
        let pattern = /<!-- (template|replace|add) (\S+) -->\n```swift\n([\s\S]*?)\n```/
        return try text().matches(of: pattern).map { match in
            Listing(file: String(match.2), isTemplate: match.1 == "template", code: String(match.3))
        }
    }
}

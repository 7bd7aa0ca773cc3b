import Foundation
import Testing
import TypeIdentifiers

@Suite struct ProgramInformationTests {
    static func list(_ body: String) -> Data {
        Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    static let whole = list(
        """
        <!-- <dict><dict> in a comment is no tag -->
        <key>CFBundleIdentifier</key><string>com.example.extension</string>
        <key>CFBundleName</key><string>Example</string>
        <key>CFBundleExecutable</key><string>example</string>
        <key>EXAppExtensionAttributes</key><dict>
          <key>EXExtensionPointIdentifier</key><string>com.apple.media-device-extension</string>
          <key>MDRequestedDomains</key><array><string>https://example.com</string></array>
        </dict>
        <key>MDESupportedProtocols</key><dict><key>com.example.one</key><string>app</string>
          <key>com.example.two</key><string></string></dict>
        <key>MDESupportsUniversalURLPlayback</key><true/>
        <key>NSBonjourServices</key><array><string>_example._tcp</string></array>
        <key>UTExportedTypeDeclarations</key><array><dict>
          <key>UTTypeIdentifier</key><string>com.example.myprotocol</string>
          <key>UTTypeDescription</key><string>My Protocol</string>
          <key>UTTypeConformsTo</key><array><string>public.media-sharing-protocol</string></array>
          <key>UTTypeIcons</key><dict><key>UTTypeSymbolName</key><string>tv</string></dict>
          <key>UTTypeTagSpecification</key><dict>
            <key>public.filename-extension</key><string>mine</string></dict>
        </dict></array>
        <key>SomethingElse</key><array><integer>1</integer></array>
        """)

    @Test func everyKeyIsRead() throws {
        let information = try ProgramInformation(propertyList: Self.whole, path: "Info.plist")
        #expect(information.bundleIdentifier == "com.example.extension" && information.displayName == "Example")
        #expect(information.extensionPointIdentifier == "com.apple.media-device-extension")
        #expect(information.requestedDomains == ["https://example.com"])
        #expect(information.supportedProtocols == ["com.example.one": "app", "com.example.two": ""])
        #expect(information.supportsUniversalURLPlayback && information.bonjourServices == ["_example._tcp"])
        let type = try #require(information.exportedTypes.first)
        #expect(type.identifier == "com.example.myprotocol" && type.description == "My Protocol")
        #expect(type.parents == ["public.media-sharing-protocol"] && type.symbolName == "tv")
        #expect(type.tags == ["public.filename-extension": ["mine"]])
    }

    @Test func binaryListsAreReadToo() throws {
        let object = try PropertyListSerialization.propertyList(from: Self.whole, format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        let information = try ProgramInformation(propertyList: binary, path: "Info.plist")
        #expect(information == (try ProgramInformation(propertyList: Self.whole, path: "Info.plist")))
    }

    @Test(arguments: [
        ("<key>MDESupportedProtocols</key><array/>", "MDESupportedProtocols"),
        ("<key>MDESupportsUniversalURLPlayback</key><string>YES</string>", "MDESupportsUniversalURLPlayback"),
        ("<key>MDESupportedProtocols</key><dict><key>a</key><integer>1</integer></dict>", "MDESupportedProtocols.a"),
        ("<key>EXAppExtensionAttributes</key><string>x</string>", "EXAppExtensionAttributes"),
        (
            "<key>EXAppExtensionAttributes</key><dict><key>MDRequestedDomains</key><string>x</string></dict>",
            "EXAppExtensionAttributes.MDRequestedDomains"
        ),
        ("<key>NSBonjourServices</key><array><string>a</string><true/></array>", "NSBonjourServices[1]"),
        ("<key>CFBundleIdentifier</key><dict/>", "CFBundleIdentifier"),
        (
            "<key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key><real>1</real></dict></array>",
            "UTExportedTypeDeclarations[0].UTTypeIdentifier"
        ),
    ])
    func aValueOfTheWrongTypeIsNamed(body: String, key: String) {
        let error = #expect(throws: ProgramInformationError.self) {
            try ProgramInformation(propertyList: Self.list(body), path: "here")
        }
        guard case .wrongType(let found, _)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == key)
        #expect(error?.description.contains("here") == true && error?.description.contains(key) == true)
    }

    @Test func aTypeWithoutIdentifierIsNamed() {
        let list = Self.list("<key>UTExportedTypeDeclarations</key><array><dict/></array>")
        let reason = ProgramInformationError.Reason.missing(key: "UTExportedTypeDeclarations[0].UTTypeIdentifier")
        #expect(throws: ProgramInformationError(path: "here", reason: reason)) {
            try ProgramInformation(propertyList: list, path: "here")
        }
    }

    @Test func nestingThatWouldEndTheProcessIsRefused() {
        for tag in ["array", "dict", "array attribute='1'"] {
            let closing = tag.prefix { $0 != " " }
            let deep = String(repeating: "<\(tag)>", count: 20_000) + String(repeating: "</\(closing)>", count: 20_000)
            let error = #expect(throws: ProgramInformationError.self) {
                try ProgramInformation(propertyList: Self.list("<key>x</key>" + deep), path: "here")
            }
            #expect(error?.reason == .tooDeep)
        }
    }

    static let garbage: [Data] = [
        Data(), Data("{ a = b; }".utf8), Data(String(repeating: "(", count: 50_000).utf8), Data("<plist>".utf8),
        Data("<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist>+ADw-array+AD4-</plist>".utf8),
        Data([0xFF, 0xFE, 0x3C, 0x00, 0x70, 0x00]), Data("bplist00".utf8), Data("bplist00".utf8) + Data(count: 40),
        Data("<plist version=\"1.0\"><array/></plist>".utf8), Data(count: 3), Data("<![CDATA[".utf8),
        // A binary array that is its own first element.
        Data(
            [UInt8]("bplist00".utf8) + [0xA1, 0x00, 8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
                + [UInt8](repeating: 0, count: 15) + [10]),
    ]

    @Test(arguments: garbage) func garbageGivesAnError(data: Data) {
        #expect(throws: ProgramInformationError.self) { try ProgramInformation(propertyList: data, path: "here") }
    }

    @Test func oneFlippedByteNeverTraps() throws {
        let object = try PropertyListSerialization.propertyList(from: Self.whole, format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        for list in [Self.whole, binary] {
            for index in list.indices {
                var copy = list
                copy[index] ^= UInt8.random(in: 1...255)
                _ = try? ProgramInformation(propertyList: copy, path: "here")
                _ = try? ProgramInformation(propertyList: list.prefix(index), path: "here")
            }
        }
    }
}

import DBus
import HostClient
import HostInterface
import Testing

@testable import mdhost

@Suite("Which extension a person means")
struct ExtensionNamingTests {
    private let extensions: [ClientExtension]

    init() throws {
        extensions = [
            try `extension`("DLNA", id: "org.mdhost.dlna"), try `extension`("MPD", id: "org.mdhost.mpd"),
            try `extension`("Mirror", id: "org.example.mirror"),
            try `extension`("broken.mdext", id: "broken.mdext", with: ["State": .string("invalid-manifest")]),
        ]
    }

    @Test(
        "found",
        arguments: [
            ("mpd", "org.mdhost.mpd"), ("MP", "org.mdhost.mpd"), ("org.mdhost.dlna", "org.mdhost.dlna"),
            ("org.mdhost.d", "org.mdhost.dlna"), ("brok", "broken.mdext"), ("ORG.EX", "org.example.mirror"),
        ])
    func found(_ text: String, _ id: String) throws {
        #expect(try ExtensionNaming.resolve(text, in: extensions).id == id)
    }

    @Test("several that fit are named with their identifiers")
    func ambiguous() throws {
        let error = try #require(throws: HostError.self) { try ExtensionNaming.resolve("m", in: extensions) }
        #expect(error.code == .ambiguousName)
        #expect(error.message == "“m” fits several extensions: MPD (org.mdhost.mpd), Mirror (org.example.mirror).")
    }

    @Test("a typo names what is near, and nothing installed is told")
    func typo() throws {
        let near = try #require(throws: HostError.self) { try ExtensionNaming.resolve("Miror", in: extensions) }
        #expect(near.code == .noSuchExtension)
        #expect(near.message == "No extension is called “Miror”. Did you mean “Mirror”?")
        #expect(ExitStatus.code(for: near) == ExitStatus.noSuchDevice)
        let none = try #require(throws: HostError.self) { try ExtensionNaming.resolve("x", in: []) }
        #expect(none.message == "No extension is called “x”; none is installed.")
    }

    @Test("several names: each extension once, and none where one name is wrong")
    func several() throws {
        #expect(
            try ExtensionNaming.resolve(["mpd", "dlna", "MPD"], in: extensions).map(\.id)
                == ["org.mdhost.mpd", "org.mdhost.dlna"])
        #expect(throws: HostError.self) { try ExtensionNaming.resolve(["mpd", "nothing"], in: extensions) }
    }
}

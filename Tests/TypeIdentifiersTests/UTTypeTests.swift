import Foundation
import Testing
import TypeIdentifiers

@Suite struct UTTypeTests {
    @Test func identifiersOfTheTable() throws {
        let movie = try #require(UTType("public.mpeg-4"))
        #expect(movie == .mpeg4Movie && movie.isDeclared && movie.isPublic && !movie.isDynamic)
        #expect(movie.preferredFilenameExtension == "mp4" && movie.preferredMIMEType == "video/mp4")
        #expect(movie.localizedDescription == "MPEG-4 movie")
        #expect(UTType("PUBLIC.MPEG-4") == .mpeg4Movie)
        #expect(UTType("org.nowhere.unknown") == nil && UTType("") == nil)
    }

    @Test func conformance() {
        #expect(UTType.mpeg4Movie.conforms(to: .movie) && UTType.mpeg4Movie.conforms(to: .audiovisualContent))
        #expect(UTType.mpeg4Movie.conforms(to: .data) && UTType.mpeg4Movie.conforms(to: .content))
        #expect(!UTType.mpeg4Movie.conforms(to: .audio) && !UTType.movie.conforms(to: .mpeg4Movie))
        #expect(UTType.movie.conforms(to: .movie) && !UTType.movie.isSubtype(of: .movie))
        #expect(UTType.movie.isSupertype(of: .mpeg4Movie))
        #expect(UTType.m3uPlaylist.supertypes == [.text, .playlist, .data, .content, .item])
        #expect(UTType.item.supertypes.isEmpty)
    }

    @Test(arguments: [
        ("mp4", UTType.mpeg4Movie), ("MOV", .quickTimeMovie), ("mp3", .mp3), ("m3u8", .m3uPlaylist), ("jpg", .jpeg),
        ("wav", .wav), ("ts", .mpeg2TransportStream), ("flac", .flac), ("srt", .subRip), ("webp", .webP),
    ])
    func typesByExtension(filenameExtension: String, type: UTType) {
        #expect(UTType(filenameExtension: filenameExtension) == type)
    }

    @Test(arguments: [
        ("video/mp4", UTType.mpeg4Movie), ("Audio/MPEG", .mp3), ("image/png", .png), ("audio/x-wav", .wav),
        ("application/vnd.apple.mpegurl", .m3uPlaylist), ("text/plain; charset=iso-8859-1", .plainText),
    ])
    func typesByMIMEType(mimeType: String, type: UTType) { #expect(UTType(mimeType: mimeType) == type) }

    @Test func aSupertypeChooses() {
        #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
        let sound = UTType(filenameExtension: "mov", conformingTo: .audio)
        #expect(sound?.isDynamic == true && sound?.conforms(to: .audio) == true)
        #expect(
            UTType.types(tag: "mp4", tagClass: .filenameExtension, conformingTo: nil) == [.mpeg4Movie, .mpeg4Audio])
        #expect(UTType.types(tag: "nothing", tagClass: .filenameExtension, conformingTo: nil).isEmpty)
    }

    @Test(arguments: ["video", "video/", "/mp4", "a/b/c", ""]) func malformedMIMETypesHaveNoType(text: String) {
        #expect(UTType(mimeType: text) == nil)
    }

    @Test(arguments: ["", ".mp4", "a/b"]) func malformedExtensionsHaveNoType(text: String) {
        #expect(UTType(filenameExtension: text) == nil)
    }

    @Test func declaredAndUndeclaredTypesOfPrograms() throws {
        #expect(UTType(exportedAs: "public.mp3") == .mp3)
        let plain = UTType(exportedAs: "com.example.nothing")
        #expect(!plain.isDeclared && plain.supertypes == [.data, .item] && plain.localizedDescription == nil)
        let movie = UTType(importedAs: "com.example.film", conformingTo: .movie)
        #expect(movie.conforms(to: .audiovisualContent) && !movie.isPublic)

        let own = TypeDeclaration(
            identifier: "com.example.myprotocol", description: "My Protocol",
            parents: ["public.media-sharing-protocol"],
            tags: ["public.filename-extension": ["mine"]])
        let hijack = TypeDeclaration(identifier: "public.mp3", description: "not mine to change")
        TypeRegistry.$current.withValue(TypeRegistry.system.adding([own, hijack])) {
            let type = UTType("com.example.MyProtocol")
            #expect(type?.identifier == "com.example.myprotocol" && type?.localizedDescription == "My Protocol")
            #expect(type?.conforms(to: .mediaSharingProtocol) == true)
            #expect(UTType(exportedAs: "com.example.myprotocol").isDeclared)
            #expect(UTType(filenameExtension: "mine", conformingTo: .mediaSharingProtocol) == type)
            #expect(UTType("public.mp3")?.localizedDescription == "MP3 audio")
        }
        #expect(UTType("com.example.myprotocol") == nil)
    }

    @Test func declarationsInACircleEnd() throws {
        let circle = [
            TypeDeclaration(identifier: "a.a", parents: ["a.b"]), TypeDeclaration(identifier: "a.b", parents: ["a.c"]),
            TypeDeclaration(identifier: "a.c", parents: ["a.a", "a.c"]),
        ]
        try TypeRegistry.$current.withValue(TypeRegistry.system.adding(circle)) {
            let type = try #require(UTType("a.a"))
            #expect(Set(type.supertypes.map(\.identifier)) == ["a.b", "a.c"])
        }
    }

    @Test func codedAsItsIdentifier() throws {
        let types = [UTType.mp3, UTType(importedAs: "com.example.x")]
        let data = try JSONEncoder().encode(types)
        #expect(String(decoding: data, as: UTF8.self) == #"["public.mp3","com.example.x"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
    }
}

@Suite struct DynamicTypeTests {
    @Test func unknownTagsMakeTypesThatReadBack() throws {
        let type = try #require(UTType(filenameExtension: "XYZZY"))
        #expect(type.isDynamic && !type.isDeclared && type.identifier.hasPrefix("dyn.ah62d4rv4ge8"))
        #expect(type.preferredFilenameExtension == "xyzzy" && type.conforms(to: .data))
        let again = try #require(UTType(type.identifier))
        #expect(again == type && again.preferredFilenameExtension == "xyzzy" && again.supertypes == [.data, .item])
    }

    @Test(arguments: ["application/x-strange", "a?b/c:d=e,f\\g", "x/ü"]) func anyMIMETypeReadsBack(text: String) throws
    {
        let type = try #require(UTType(mimeType: text, conformingTo: .movie))
        let again = try #require(UTType(type.identifier))
        #expect(again.preferredMIMEType == text && again.conforms(to: .audiovisualContent))
    }

    @Test func noParentAtAll() throws {
        let type = try #require(
            UTType(tag: "zzz", tagClass: UTTagClass(rawValue: "com.example.tag"), conformingTo: nil))
        #expect(type.supertypes.isEmpty)
        #expect(UTType(type.identifier)?.tags == [UTTagClass(rawValue: "com.example.tag"): ["zzz"]])
    }

    @Test(arguments: ["dyn.", "dyn.a", "dyn.a!!!", "dyn.aaaaaaaaaaa", "dyn.ah62d4rv4ge8", "dyn.iiii", "dyn.a99999999"])
    func garbageIsNoType(identifier: String) { #expect(UTType(identifier) == nil) }

    @Test func randomTextNeverTraps() {
        let letters = Array("abcdefghkmnpqrstuvwxyz0123456789")
        for length in 0..<500 {
            let text = String((0..<length).map { _ in letters.randomElement() ?? "a" })
            if let type = UTType("dyn.ah62d4rv4ge8" + text) { #expect(UTType(type.identifier) != nil) }
        }
    }
}

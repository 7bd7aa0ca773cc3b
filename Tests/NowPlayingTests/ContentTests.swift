import DBus
import Foundation
import HostInterface
import ScriptedDaemon
import Testing

@testable import NowPlaying

@Suite("Content", .timeLimit(.minutes(1)))
struct ContentTests {
    private static let artwork = Artwork(id: "cover") { _ in throw CancellationError() }
    private static let animated = AnimatedArtwork(id: "loop", supportedAspectRatios: [.tall]) { _, _ in
        throw CancellationError()
    } video: { _, _ in
        throw CancellationError()
    }

    private var all: [any MediaContentRepresentable] {
        [
            MusicContent(
                id: "1", songTitle: "Song", artistName: "Artist", albumName: "Album", type: .audio,
                duration: .finite(61),
                artwork: Self.artwork, animatedArtwork: Self.animated),
            PodcastContent(
                id: "2", episodeTitle: "Episode", showName: "Show", releaseDate: Date(timeIntervalSince1970: 7),
                type: .audio, duration: .finite(61), artwork: Self.artwork, animatedArtwork: Self.animated),
            MovieContent(
                id: "3", title: "Film", duration: .finite(61), artwork: Self.artwork, animatedArtwork: Self.animated),
            TVShowContent(
                id: "4", episodeTitle: "Episode", showName: "Show", duration: .finite(61), artwork: Self.artwork,
                animatedArtwork: Self.animated),
            BookContent(
                id: "5", title: "Book", authorName: "Author", duration: .finite(61), artwork: Self.artwork,
                animatedArtwork: Self.animated),
            RadioContent(id: "6", stationName: "Station", artwork: Self.artwork, animatedArtwork: Self.animated),
            HomeMediaContent(
                id: "7", sourceName: "Nursery", contentDescription: "Camera", type: .video, duration: nil,
                artwork: Self.artwork, animatedArtwork: Self.animated),
            GenericContent(
                id: "8", title: "Thing", type: .audio, duration: .continuous, artwork: Self.artwork,
                animatedArtwork: Self.animated),
        ]
    }

    @Test("each of the eight has its lines, its type and its length")
    func lines() {
        let items = all.map { MediaItem($0) }
        #expect(items.map(\.kind) == [.music, .podcast, .movie, .tvShow, .book, .radio, .homeMedia, .generic])
        #expect(items.map(\.title) == ["Song", "Episode", "Film", "Episode", "Book", "Station", "Nursery", "Thing"])
        #expect(items.map(\.subtitle) == ["Artist", "Show", nil, "Show", "Author", nil, "Camera", nil])
        #expect(items.map(\.isVideo) == [false, false, true, true, false, false, true, false])
        #expect(
            items.map(\.extent) == [.finite, .finite, .finite, .finite, .finite, .live, nil, .continuous])
        #expect(items.allSatisfy { $0.artworkID == "cover" && $0.animatedArtworkID == "loop" })
        #expect(items.allSatisfy { $0.animatedArtworkRatios == ["tall"] })
        #expect(items[1].releaseDate == 7)
    }

    @Test("what is set afterwards is shown as well")
    func laterProperties() {
        var music = MusicContent(
            id: "1", songTitle: "", artistName: "", albumName: "", type: .audio, duration: .finite(.nan), artwork: nil)
        music.composer = "Composer"
        music.isrc = "QZ"
        music.genre = "Jazz"
        music.isExplicit = true
        music.collectionID = "c"
        music.serviceID = "s"
        music.isExcludedFromSuggestions = true
        music.appEntityIdentifiers = [EntityIdentifier(for: Album.self, identifier: 7)]
        let item = MediaItem(music)
        #expect(item.composer == "Composer" && item.isrc == "QZ" && item.genre == "Jazz" && item.isExplicit == true)
        #expect(item.collectionID == "c" && item.serviceID == "s" && item.isExcludedFromSuggestions == true)
        #expect(item.entityIdentifiers == ["Album/7"])
        #expect(item.extent == nil, "a length that is no number is not known")
        var book = BookContent(id: "b", title: "B", authorName: "A", narratorName: "N", duration: nil, artwork: nil)
        book.chapter = (2, 9)
        let read = MediaItem(book)
        #expect(read.chapter == 2 && read.chapterCount == 9 && read.narrator == "N")
        let radio = MediaItem(RadioContent(id: "r", stationName: "Station", programName: "News", artwork: nil))
        #expect(radio.title == "News" && radio.subtitle == "Station")
    }

    /// A content type of an app's own, without a place for entities.
    private struct Lecture: MediaContentRepresentable {
        var id: String
        var type: MediaType { .audio }
        var duration: MediaDuration? { nil }
        var artwork: Artwork? { nil }
        var animatedArtwork: AnimatedArtwork? { nil }
        var isExplicit: Bool?
        var genre: String?
        var collectionID: String?
        var serviceID: String?
        var isExcludedFromSuggestions: Bool?
    }

    @Test("entities of a type that has no place for them are kept with the item")
    func entitiesOfOwnTypes() {
        var lecture = Lecture(id: "entities-1")
        #expect(lecture.appEntityIdentifiers.isEmpty)
        let album = EntityIdentifier(for: Album.self, identifier: 7)
        lecture.appEntityIdentifiers = [album]
        #expect(lecture.appEntityIdentifiers == [album])
        #expect(MediaItem(Lecture(id: "entities-1")).entityIdentifiers == ["Album/7"])
        #expect(Lecture(id: "entities-2").appEntityIdentifiers.isEmpty, "another item")
        lecture.appEntityIdentifiers = []
        #expect(lecture.appEntityIdentifiers.isEmpty)
    }

    @Test("of one type a bounded number of items is kept, those written last")
    func entitiesAreBounded() {
        let shelf = EntityShelf(limit: 2)
        let album = [EntityIdentifier(for: Album.self, identifier: 7)]
        for id in ["a", "b", "a", "c"] { shelf.keep(album, of: Lecture.self, id) }
        #expect(["a", "b", "c"].map { shelf.entities(of: Lecture.self, $0).count } == [1, 0, 1])
        shelf.keep([], of: Lecture.self, "a")
        #expect(shelf.entities(of: Lecture.self, "a").isEmpty && shelf.entities(of: MusicContent.self, "c").isEmpty)
    }

    @Test("a picture is drawn at the size that is asked for, and only the one that is shown")
    @MainActor
    func artwork() async throws {
        let link = try await Link()
        let model = Model()
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        model.picture = Artwork(id: "cover") { size in
            guard size.width == 300, size.height == .greatestFiniteMagnitude else { throw CancellationError() }
            return try ArtworkRepresentation(data: Data(png))
        }
        let session = link.session(model)
        #expect(try await link.published("RegisterSession").content?.artworkID == "cover")
        let reply = try await link.daemon.callHandler("Artwork", [.string("cover"), .double(300), .double(.infinity)])
        #expect(reply.first?.asBytes == png)
        await #expect(throws: DBusError.self) {
            try await link.daemon.callHandler("Artwork", [.string("other"), .double(300), .double(0)])
        }
        await #expect(throws: DBusError.self) {
            try await link.daemon.callHandler("Artwork", [.string("cover"), .double(1), .double(1)])
        }
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("a picture that is being drawn arrives, although the model changes meanwhile")
    @MainActor
    func artworkInFlight() async throws {
        let link = try await Link()
        let model = Model()
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (finished, finish) = AsyncStream.makeStream(of: Void.self)
        model.picture = Artwork(id: "cover") { _ in
            begin.yield()
            for await _ in finished { break }
            return try ArtworkRepresentation(data: Data(png))
        }
        let session = link.session(model)
        _ = try await link.published("RegisterSession")
        async let reply = link.daemon.callHandler("Artwork", [.string("cover"), .double(300), .double(300)])
        for await _ in begun { break }
        model.snapshot = MediaPlaybackSnapshot(state: .playing(), elapsedTime: 9)
        model.picture = Artwork(id: "another") { _ in throw CancellationError() }
        #expect(try await link.published("Update").content?.artworkID == "another")
        finish.yield()
        #expect(try await reply.first?.asBytes == png)
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("a moving picture is a first frame and an address")
    @MainActor
    func animatedArtwork() async throws {
        let link = try await Link()
        let model = Model()
        let gif = Data("GIF89a".utf8)
        model.moving = AnimatedArtwork(id: "loop", supportedAspectRatios: [.tall]) { size, _ in
            guard size.width == 30, size.height == 40 else { throw CancellationError() }
            return try ArtworkRepresentation(data: gif)
        } video: { _, ratio in
            URL(filePath: ratio == .tall ? "/media/tall.mp4" : "/media/square.mp4")
        }
        let session = link.session(model)
        #expect(try await link.published("RegisterSession").content?.animatedArtworkRatios == ["tall"])
        func ask(_ ratio: String) async throws -> [DBusValue] {
            try await link.daemon.callHandler(
                "AnimatedArtwork", [.string("loop"), .string(ratio), .double(30), .double(40)])
        }
        let reply = try await ask("tall")
        #expect(reply.first?.asBytes == [UInt8](gif) && reply.last?.asString == "file:///media/tall.mp4")
        await #expect(throws: DBusError.self) { try await ask("square") }
        await #expect(throws: DBusError.self) { try await ask("round") }
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("bytes that are no picture are refused")
    func representation() {
        #expect(throws: ArtworkRepresentation.ArtworkRepresentationError.noRepresentationAvailable) {
            try ArtworkRepresentation(data: Data("text".utf8))
        }
        #expect(throws: ArtworkRepresentation.ArtworkRepresentationError.noRepresentationAvailable) {
            try ArtworkRepresentation(data: Data())
        }
        #expect(AnimatedArtwork.compatibleAspectRatios == [.square, .tall])
    }
}

private struct Album: AppEntity {
    let id: Int
}

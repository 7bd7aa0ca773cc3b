import AppIntents
import NowPlaying
import OSLog
import Testing
import os

struct SongEntity: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Song"
    var id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

/// A source with Apple's imports beside `NowPlaying`.
@Suite struct SystemNamesTests {
    @Test func osHasTheLogAndTheLock() {
        let logger = Logger(subsystem: "org.example.player", category: "test")
        logger.debug("value \(1, privacy: .public) of \("name", privacy: .private)")
        os_log("a message of \(OSLogType.error.rawValue)")
        #expect(OSAllocatedUnfairLock(initialState: 1).withLock { $0 } == 1)
    }

    @Test func coreGraphicsHasThePixelsOfArtwork() throws {
        _ = try ArtworkRepresentation(cgImage: try #require(Pixel.red))
    }

    @Test func appIntentsNamesEntities() {
        var content = MovieContent(id: "1", title: "Title", duration: nil, artwork: nil)
        content.appEntityIdentifiers = [EntityIdentifier(for: SongEntity.self, identifier: "1")]
        #expect(content.appEntityIdentifiers.map(\.description) == ["SongEntity/1"])
    }
}

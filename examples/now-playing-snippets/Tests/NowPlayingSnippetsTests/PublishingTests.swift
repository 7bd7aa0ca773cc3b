import Foundation
import NowPlaying
import Publishing
import PublishingIsolated
import Testing

@MainActor
@Suite("The snippets", .timeLimit(.minutes(1)))
struct PublishingTests {
    @Test("the model shows what it plays, and follows what is done with it")
    func model() async throws {
        let model = PlayerModel()
        let song = try #require(model.content as? MusicContent)
        #expect(song.songTitle == "Song" && song.genre == "Jazz" && song.duration == .finite(200))
        let before = model.playbackSnapshot
        try await model.play()
        #expect(model.playbackSnapshot != before)
        #expect(model.commands.count == 9)
        model.unload()
        #expect(model.content == nil)
    }

    @Test("all eight kinds of content")
    func contents() {
        let contents = Contents.all(releaseDate: .distantPast)
        #expect(contents.count == 8)
        #expect(contents.map(\.type).filter { $0 == .video }.count == 3)
        #expect((contents[5] as? RadioContent)?.duration == .live)
        #expect((contents[4] as? BookContent)?.chapter?.total == 12)
    }

    @Test("snapshots are equal by value")
    func snapshots() {
        let now = Date()
        #expect(Snapshots.all(now: now) == Snapshots.all(now: now))
        #expect(Scrubber().commands.count == 6)
    }

    @Test("a session names its model, and can do nothing without content")
    func sessions() async {
        let model = PlayerModel()
        model.unload()
        let controller = NowPlayingController()
        await controller.begin(model)
        #expect(controller.message == "There is nothing to show.")
        #expect(!controller.speaks)
        controller.end()
        #expect(MediaSession(PlainModel()).id == "plain")
        #expect(MediaSession(StationModel()).id == "station")
    }
}

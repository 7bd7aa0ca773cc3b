import Foundation
import NowPlaying
import Observation
import Sounds
import Testing

@testable import AmbientPlayer

@MainActor
@Suite("The model")
struct AmbientModelTests {
    @Test("shows a soundscape without an end")
    func content() throws {
        let content = try #require(AmbientModel(.surf).content as? GenericContent)
        #expect(content.title == "Surf")
        #expect(content.duration == .continuous)
        #expect(content.artwork?.id == "cover-surf")
    }

    @Test("goes round")
    func order() {
        let model = AmbientModel(.rain)
        model.move(by: -1)
        #expect(model.soundscape == .fan)
        model.move(by: 1)
        model.move(by: 1)
        #expect(model.soundscape == .surf)
        #expect(model.content?.id == "surf")
    }

    @Test("a change is seen by whoever reads what is shown")
    func observation() async {
        let model = AmbientModel()
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let before = withObservationTracking {
            model.playbackSnapshot
        } onChange: {
            change.finish()
        }
        model.play()
        for await _ in changes {}
        #expect(before != model.playbackSnapshot)
        #expect(model.isPlaying)
    }
}

@Suite("Sound and cover")
struct SoundTests {
    @Test("every soundscape is heard and stays in bounds", arguments: Soundscape.allCases)
    func samples(_ soundscape: Soundscape) {
        var synthesizer = Synthesizer(soundscape)
        let samples = synthesizer.samples(44_100)
        #expect(samples.allSatisfy { abs($0) <= 1 })
        let loudness = samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
        #expect(loudness > 0.0005, "silent")
    }

    @Test("the cover is a picture of the size that was asked for")
    func cover() throws {
        let bytes = Cover.png(of: .rain, side: 64)
        #expect(bytes[16..<24] == [0, 0, 0, 64, 0, 0, 0, 64])
        _ = try ArtworkRepresentation(data: Data(bytes))
        #expect(Cover.png(of: .rain, side: 1 << 20).count < 4 << 20)
    }
}

import Foundation
import Synchronization
import Testing

@testable import SoundFeed

/// With real descriptors.
@Suite(.timeLimit(.minutes(1)))
struct SoundFeedTests {
    private final class Told: Sendable {
        let events = Mutex<[SoundFeed.Event]>([])
    }

    private let told = Told()
    private let feed: SoundFeed

    init() {
        let told = told
        feed = SoundFeed(patience: 0.1, batchLength: 1) { event in told.events.withLock { $0.append(event) } }
    }

    private var events: [SoundFeed.Event] { told.events.withLock { $0 } }

    private func take(_ value: Int16, frames: Int = 64) {
        [Int16](repeating: value.littleEndian, count: frames * 2).withUnsafeBytes { feed.take($0) }
    }

    private func read(_ descriptor: Int32, _ count: Int) -> [Int16] {
        var samples = [Int16](repeating: 0, count: count)
        let length = Glibc.read(descriptor, &samples, count * 2)
        return samples.prefix(max(0, length) / 2).map { Int16(littleEndian: $0) }
    }

    @Test func everySampleFromTheFirstSoundOnComesOut() throws {
        take(0)
        take(1)
        #expect(events.isEmpty, "the last bit is no sound")
        take(500)
        #expect(events == [.sound] && !feed.takesBlock)
        take(501)
        let reader = try feed.open()
        defer { close(reader) }
        #expect(feed.isOpen && feed.takesBlock)
        take(502)
        #expect(read(reader, 1000) == [500, 501, 502].flatMap { [Int16](repeating: $0, count: 128) })
    }

    @Test func itIsKnownHowFarItCame() throws {
        for _ in 0..<3 { take(0) }
        #expect(feed.progress == nil)
        take(500)
        take(501)
        let reader = try feed.open()
        defer { close(reader) }
        #expect(feed.progress?.frames == 128, "what programs waited with was handed in at another time")
        let before = SamplePace.now
        take(502)
        let progress = try #require(feed.progress)
        #expect(progress.frames == 128 && before...SamplePace.now ~= progress.time)
        feed.shut()
        #expect(feed.progress == nil)
    }

    @Test func soundGoesOnATenthOfASecondAtATime() throws {
        let feed = SoundFeed(patience: 0.1) { _ in }
        func take(_ value: Int16) {
            [Int16](repeating: value.littleEndian, count: 2 * SoundFeed.blockLength).withUnsafeBytes { feed.take($0) }
        }
        take(500)
        let reader = try feed.open()
        defer { close(reader) }
        #expect(read(reader, 20_000).count == 2048, "what was waited with goes on at once")
        for value in Int16(501)...503 { take(value) }
        var event = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&event, 1, 0) == 0)
        take(504)
        #expect(read(reader, 20_000) == (501...504).flatMap { [Int16](repeating: $0, count: 2048) })
        take(505)
        for _ in 0..<5 { feed.takeSilence() }
        #expect(read(reader, 20_000).count == 6 * 2048, "the last of it does not wait")
        #expect(read(reader, 1).isEmpty, "its end")
    }

    @Test func theStreamEndsBehindSilence() throws {
        take(500)
        let reader = try feed.open()
        defer { close(reader) }
        for _ in 0..<5 { feed.takeSilence() }
        #expect(events == [.sound, .quiet] && !feed.isOpen)
        #expect(read(reader, 20_000).count == 128 + 5 * 2048)
        #expect(read(reader, 1).isEmpty, "its end")
    }

    @Test func whoeverStopsReadingIsNoticed() throws {
        take(500)
        close(try feed.open())
        take(501)
        #expect(events == [.sound, .cut])
        #expect(feed.takesBlock && feed.wantsSilence, "programs go on, unheard")
        take(502)
        #expect(events.count == 2)
        for _ in 0..<44 { feed.takeSilence() }
        #expect(!feed.wantsSilence)
        take(503)
        #expect(events.last == .sound, "a second later it is something else")
    }

    @Test func nothingIsTakenThatThereIsNoRoomFor() throws {
        take(500)
        let reader = try feed.open()
        defer { close(reader) }
        var blocks = 0
        while feed.takesBlock, blocks < 1000 {
            take(500, frames: SoundFeed.blockLength)
            blocks += 1
        }
        #expect(blocks > 4 && blocks < 100)
        var heard = 0
        while heard < 128 + blocks * 2048 { heard += read(reader, 100_000).count }
        #expect(heard == 128 + blocks * 2048)
    }

    @Test func soundThatDoesNotFitWaitsForItsReader() throws {
        let feed = SoundFeed(batchLength: 1) { _ in }
        let frames = 6 * SoundFeed.rate
        let sound = (0..<2 * frames).map { Int16(truncatingIfNeeded: $0 | 256).littleEndian }
        // A sound server may hand in seconds at once.
        sound.withUnsafeBytes { feed.take($0) }
        let reader = try feed.open()
        defer { close(reader) }
        #expect(!feed.takesBlock)
        var heard: [Int16] = []
        while heard.count < sound.count {
            heard += read(reader, 100_000)
            if feed.takesBlock { feed.takeSilence() }
        }
        #expect(heard.prefix(sound.count).elementsEqual(sound))
    }
}

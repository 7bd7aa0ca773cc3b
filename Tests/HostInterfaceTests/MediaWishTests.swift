import HostInterface
import Testing

struct MediaWishTests {
    private func state(
        _ playback: MediaPlayback.State = .paused, at position: Double? = 50, _ controls: MediaControl...
    ) -> MediaSessionState {
        var item = MediaItem(id: "1", kind: .music, isVideo: false, title: "Song")
        item.extent = .finite
        item.duration = 100
        return MediaSessionState(
            content: item,
            playback: MediaPlayback(
                state: playback, position: position.map { MediaPlayback.Position(value: $0, hostTime: 0) }),
            controls: controls)
    }

    @Test func whatIsFulfilledNeedsNothing() throws {
        let toggle = MediaControl(.togglePlayPause)
        #expect(try MediaWish.play.action(state(.playing, at: 50, toggle), now: 0) == nil)
        #expect(try MediaWish.pause.action(state(.paused, at: 50, toggle), now: 0) == nil)
        #expect(try MediaWish.pause.action(state(.buffering, at: 50, toggle), now: 0) == MediaAction(.togglePlayPause))
        #expect(throws: HostError.self) { try MediaWish.play.action(state(), now: 0) }
    }

    @Test func movingUsesWhatThereIs() throws {
        let seek = MediaControl(.seekToPosition)
        let skip = MediaControl(.skipForward, numbers: [15, 30])
        #expect(try MediaWish.offset(10).action(state(.paused, at: 50, seek, skip), now: 0)?.number == 60)
        #expect(try MediaWish.offset(10).action(state(.playing, at: 50, seek), now: 7)?.number == 67)
        #expect(try MediaWish.offset(500).action(state(.paused, at: 50, seek), now: 0)?.number == 100)
        #expect(try MediaWish.offset(-500).action(state(.paused, at: 50, seek), now: 0)?.number == 0)
        let skipped = try MediaWish.offset(25).action(state(.paused, at: 50, skip), now: 0)
        #expect(skipped == MediaAction(.skipForward, number: 30))
        #expect(try MediaWish.offset(12).action(state(.paused, at: nil, seek, skip), now: 0)?.kind == .skipForward)
        #expect(throws: HostError.self) { try MediaWish.offset(-5).action(state(.paused, at: 50, skip), now: 0) }
        #expect(try MediaWish.position(500).action(state(.paused, at: 50, seek), now: 0)?.number == 100)
        #expect(throws: HostError.self) { try MediaWish.position(5).action(state(.paused, at: 50, skip), now: 0) }
    }

    @Test func aPositionThatFollowsIsNoNews() {
        var later = state(.playing, at: 10)
        var now = state(.playing, at: 13)
        now.playback?.position?.hostTime = 3
        #expect(later.foretells(now))
        now.playback?.position?.value = 14
        #expect(!later.foretells(now))
        later = state(.paused, at: 10)
        now = state(.paused, at: 10)
        now.playback?.position?.hostTime = 9
        #expect(later.foretells(now))
        now.playback?.position?.value = 10.1
        #expect(!later.foretells(now))
        #expect(!later.foretells(MediaSessionState()))
    }
}

import Testing

@testable import AirPlayProtocol

/// Events of a receiver, together with its answers to polls.
struct VideoTrackerEventTests {
    private static func plays(_ position: Double, rate: Double = 1, isWaiting: Bool = false) -> PlaybackInformation {
        PlaybackInformation(duration: 100, position: position, rate: rate, isWaiting: isWaiting)
    }

    /// Since 0 s, and has told it.
    private static func playing() -> VideoTracker {
        var tracker = VideoTracker(now: 0)
        tracker.told(VideoEvent(.loading), at: 0)
        tracker.told(VideoEvent(.playing), at: 0)
        tracker.apply(plays(0), at: 0)
        return tracker
    }

    @Test func itIsOverAtOnceWhereItTellsSo() {
        var tracker = Self.playing()
        tracker.told(VideoEvent(.stopped), at: 20)
        #expect(!tracker.isOver, "it has not been asked yet")
        tracker.apply(.nothing, at: 20.1)
        #expect(tracker.phase == .ended && tracker.position.value == 20.1)
        var failed = Self.playing()
        failed.told(VideoEvent(.stopped, failure: "domain 4"), at: 20)
        failed.apply(.nothing, at: 20.1)
        #expect(failed.phase == .failed("It cannot play this (domain 4)."))
    }

    @Test func itIsNotOverWhileItSaysThatItPlays() {
        var tracker = Self.playing()
        tracker.told(VideoEvent(.stopped), at: 20)
        tracker.apply(Self.plays(20.1), at: 20.1)
        #expect(tracker.phase == .playing)
        var late = tracker
        late.apply(.nothing, at: 20.6)
        #expect(late.phase == .ended, "it says so a moment after it told it")
        tracker.apply(.nothing, at: 23)
        #expect(!tracker.isOver, "what it told is long ago")
        var other = Self.playing()
        other.told(VideoEvent(.stopped), at: 20)
        other.told(VideoEvent(.playing), at: 20.2)
        other.apply(.nothing, at: 20.3)
        #expect(!other.isOver, "it has told since that it plays")
    }

    /// Kodi, when it replaces one media by another: it reports the end of the old one to the current listener.
    @Test func theEndOfAnotherPieceIsNotItsOwn() {
        var tracker = VideoTracker(now: 0)
        tracker.told(VideoEvent(.loading), at: 0)
        tracker.apply(PlaybackInformation(duration: 30, position: 20, rate: 1), at: 0)
        tracker.told(VideoEvent(.stopped), at: 0.1)
        for time in [0.1, 0.2, 1.5] { tracker.apply(.nothing, at: time) }
        #expect(!tracker.isOver)
        tracker.told(VideoEvent(.playing), at: 1.6)
        tracker.apply(Self.plays(0), at: 1.6)
        #expect(tracker.phase == .playing && tracker.duration == 100)
        tracker.told(VideoEvent(.stopped), at: 9)
        tracker.apply(.nothing, at: 9)
        #expect(tracker.phase == .ended, "this one is")
        var loading = VideoTracker(now: 0)
        loading.told(VideoEvent(.playing), at: 1)
        loading.told(VideoEvent(.stopped), at: 1)
        loading.apply(.nothing, at: 1)
        #expect(loading.phase == .loading, "it has not begun by its own word")
        var adopted = VideoTracker(now: 0, isAdopted: true)
        adopted.told(VideoEvent(.stopped), at: 1)
        adopted.apply(.nothing, at: 1)
        #expect(adopted.phase == .ended, "it was told to play by somebody before")
    }

    @Test func whatTellsByItselfIsAskedLess() {
        func delay(_ tracker: VideoTracker, at now: Double) -> Double { tracker.delay(at: now, usual: 1, rare: 5) }
        #expect(delay(VideoTracker(now: 0), at: 0) == 0.25)
        var silent = VideoTracker(now: 0)
        silent.apply(Self.plays(0), at: 0)
        #expect(delay(silent, at: 50) == 1, "it tells nothing")
        var tracker = Self.playing()
        #expect(delay(tracker, at: 1) == 1, "it has just begun")
        #expect(delay(tracker, at: 2) == 5)
        #expect(delay(tracker, at: 94) == 4 && delay(tracker, at: 97.5) == 1, "the end is near")
        #expect(tracker.delay(at: 2, usual: 60, rare: 5) == 60)
        tracker.told(VideoEvent(.loading), at: 10)
        #expect(delay(tracker, at: 10) == 5, "Kodi does not tell when it has loaded enough")
        tracker.told(VideoEvent(.paused), at: 20)
        #expect(delay(tracker, at: 20) == 0.25 && delay(tracker, at: 22) == 1, "it told something else than it said")
        tracker.apply(Self.plays(20, rate: 0), at: 20)
        #expect(delay(tracker, at: 21) == 1 && delay(tracker, at: 22) == 5)
        tracker.sought(to: 99, at: 30)
        #expect(delay(tracker, at: 31) == 1 && delay(tracker, at: 40) == 5, "it stands near its end")
        tracker.told(VideoEvent(.stopped), at: 50)
        #expect(delay(tracker, at: 50) == 0.25 && delay(tracker, at: 54) == 1)
        var waiting = Self.playing()
        waiting.apply(Self.plays(5, isWaiting: true), at: 5)
        #expect(delay(waiting, at: 9) == 1)
        var absent = Self.playing()
        absent.apply(.nothing, at: 9)
        #expect(delay(absent, at: 9) == 1)
        var deaf = Self.playing()
        deaf.tellsNothing()
        #expect(delay(deaf, at: 9) == 1)
    }
}

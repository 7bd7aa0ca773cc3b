import Testing

@testable import DLNAProtocol

struct PlaybackTrackerTests {
    private let uri = "http://10.77.0.2:8099/tone.mp3"

    private func change(_ path: String) throws -> TransportChange {
        let text = try #require(try PropertySet(parsing: Fixtures.bytes(path)).values["LastChange"])
        return TransportChange(try LastChange(parsing: text))
    }

    /// Playing since second 0.
    private func playing(duration: Double? = 30, confirmed: Bool = true) -> PlaybackTracker {
        var tracker = PlaybackTracker(uri: uri, duration: duration, now: 0)
        tracker.playAccepted(at: 0)
        tracker.apply(TransportChange(state: .playing, uri: confirmed ? uri : nil), at: 0)
        return tracker
    }

    @Test func followsGmediarenderFromStartToEnd() throws {
        var tracker = PlaybackTracker(uri: uri, now: 100)
        tracker.apply(try change("gmediarender/event-initial-transport.xml"), at: 100)
        #expect(tracker.phase == .loading && tracker.metadata == nil && tracker.duration == nil)
        tracker.apply(try change("gmediarender/event-address-set.xml"), at: 100.2)
        #expect(tracker.metadata != nil)
        tracker.playRequested(at: 100.2)
        #expect(tracker.phase == .loading)
        tracker.apply(try change("gmediarender/event-playing.xml"), at: 100.3)
        tracker.playAccepted(at: 100.3)
        #expect(tracker.phase == .playing)
        tracker.apply(try change("gmediarender/event-duration.xml"), at: 100.6)
        #expect(tracker.phase == .playing && tracker.duration == 30)
        #expect(tracker.position(at: 110.3) == 10)
        tracker.apply(try change("gmediarender/event-ended.xml"), at: 130.2)
        #expect(tracker.phase == .finished(.ended))
        #expect(tracker.position(at: 200) == 30)
    }

    @Test func followsRygelFromStartToEnd() throws {
        var tracker = PlaybackTracker(uri: uri, now: 0)
        tracker.apply(try change("rygel/event-initial-transport.xml"), at: 0)
        tracker.apply(try change("rygel/event-address-set.xml"), at: 0.2)
        tracker.playAccepted(at: 0.3)
        tracker.apply(try change("rygel/event-transitioning.xml"), at: 0.4)
        #expect(tracker.phase == .loading)
        tracker.apply(try change("rygel/event-playing.xml"), at: 0.5)
        #expect(tracker.duration == 30.04)
        #expect(tracker.actions?.contains("SEEK") == true)
        tracker.apply(try change("rygel/event-paused.xml"), at: 10.5)
        #expect(tracker.phase == .paused)
        #expect(tracker.position(at: 99) == 10)
        tracker.apply(try change("rygel/event-playing.xml"), at: 20.5)
        tracker.apply(try change("rygel/event-stopped.xml"), at: 40.6)
        #expect(tracker.phase == .finished(.ended))
    }

    @Test func tellsAStopFarFromTheEndFromTheEnd() {
        var tracker = playing()
        tracker.apply(TransportChange(state: .stopped), at: 12)
        #expect(tracker.phase == .finished(.stoppedElsewhere))
        #expect(tracker.position(at: 99) == 12)
        var emptied = playing()
        emptied.apply(TransportChange(state: .noMediaPresent), at: 12)
        #expect(emptied.phase == .finished(.stoppedElsewhere))
        var endless = playing(duration: nil)
        endless.apply(TransportChange(state: .stopped), at: 12)
        #expect(endless.phase == .finished(.ended))
    }

    @Test func noticesThatAnotherControllerTookOver() {
        var tracker = playing()
        tracker.apply(TransportChange(state: .transitioning, uri: "http://other/"), at: 5)
        #expect(tracker.phase == .finished(.replaced))
        #expect(tracker.position(at: 9) == 5)
        var polled = playing(confirmed: false)
        polled.apply(PositionInfo(position: 1, uri: uri), at: 1)
        polled.apply(PositionInfo(position: 1, uri: ""), at: 2)
        #expect(polled.phase == .playing)
        polled.apply(PositionInfo(position: 1, uri: "http://other/"), at: 3)
        #expect(polled.phase == .finished(.replaced))
    }

    @Test func isNotMisledByWhatTheDevicePlayedBefore() {
        var tracker = PlaybackTracker(uri: uri, now: 0)
        let before = TransportChange(state: .playing, uri: "http://old/", duration: 500, metadata: "<old/>")
        tracker.apply(before, at: 0)
        #expect(tracker.phase == .loading && tracker.duration == nil && tracker.metadata == nil)
        tracker.playRequested(at: 1)
        tracker.apply(TransportChange(state: .stopped, uri: "http://old/"), at: 1.1)
        #expect(tracker.phase == .loading)
        tracker.playAccepted(at: 1.2)
        tracker.apply(TransportChange(state: .stopped), at: 1.5)
        #expect(tracker.phase == .loading)
        tracker.apply(TransportChange(state: .playing, uri: uri), at: 1.6)
        tracker.apply(TransportChange(state: .stopped), at: 1.9)
        #expect(tracker.phase == .playing)
        #expect(tracker.duration == nil)
    }

    @Test func doubtsAnEventThatEndsWhatHasJustBegun() {
        var tracker = playing()
        #expect(tracker.isDoubtful(TransportChange(state: .stopped), at: 9))
        #expect(!tracker.isDoubtful(TransportChange(state: .stopped, uri: "http://other/"), at: 9), "later media")
        #expect(!tracker.isDoubtful(TransportChange(state: .stopped, uri: ""), at: 9), "the end of a short one")
        tracker.apply(PositionInfo(position: 1, uri: uri), at: 1)
        #expect(tracker.isDoubtful(TransportChange(trackURI: "http://old/"), at: 9))
        #expect(tracker.isDoubtful(TransportChange(state: .playing, hasFailed: true), at: 9))
        #expect(!tracker.isDoubtful(TransportChange(state: .paused), at: 9))
        #expect(!tracker.isDoubtful(TransportChange(state: .stopped), at: 10))
    }

    @Test func takesAnotherSpellingOfTheAddressForTheSame() {
        var tracker = PlaybackTracker(uri: "http://h/a%20b%C3%BC.mp3", now: 0)
        tracker.playAccepted(at: 0)
        tracker.apply(TransportChange(state: .playing, uri: "http://h/a bü.mp3"), at: 1)
        tracker.apply(TransportChange(uri: "http://h/a%20b%c3%bc.mp3"), at: 1)
        #expect(tracker.phase == .playing)
        tracker.apply(TransportChange(uri: "http://h/%zz%"), at: 1)
        #expect(tracker.phase == .finished(.replaced))
    }

    @Test func givesUpOnADeviceThatNeverStarts() {
        var tracker = PlaybackTracker(uri: uri, now: 0)
        tracker.playAccepted(at: 0)
        tracker.apply(TransportInfo(state: .stopped), at: 2)
        #expect(tracker.phase == .loading)
        tracker.apply(TransportInfo(state: .transitioning), at: 5)
        #expect(tracker.phase == .loading)
        tracker.apply(TransportInfo(state: .stopped), at: 6)
        #expect(tracker.phase == .finished(.neverStarted))
    }

    @Test func tellsAFailure() {
        var tracker = playing()
        tracker.apply(TransportInfo(state: .stopped, hasFailed: true), at: 3)
        #expect(tracker.phase == .finished(.failed))
        var before = PlaybackTracker(uri: uri, now: 0)
        before.apply(TransportChange(hasFailed: true), at: 0)
        #expect(before.phase == .loading)
    }

    @Test func movesThePositionOnlyByDiscontinuities() {
        var tracker = playing(duration: 100)
        let began = tracker.position
        tracker.apply(PositionInfo(position: 5), at: 5)
        tracker.apply(PositionInfo(position: 9), at: 10)
        #expect(tracker.position == began)
        tracker.apply(PositionInfo(position: 20), at: 11)
        let moved = tracker.position
        #expect(moved != began && tracker.position(at: 12) == 21)
        tracker.apply(PositionInfo(position: 20), at: 40)
        #expect(tracker.position(at: 40) == 49)
        tracker.apply(TransportChange(state: .playing), at: 41)
        tracker.apply(PositionInfo(position: nil), at: 41)
        #expect(tracker.position == moved && tracker.phase == .playing)
    }

    @Test func showsASeekAtOnceAndStaysInsideTheMedia() {
        var tracker = playing()
        tracker.sought(to: 25, at: 2)
        #expect(tracker.position(at: 3) == 26)
        tracker.sought(to: 99, at: 3)
        #expect(tracker.position(at: 3) == 30)
        tracker.sought(to: -5, at: 3)
        #expect(tracker.position(at: 3) == 0)
        tracker.apply(PositionInfo(position: 500), at: 4)
        #expect(tracker.position(at: 4) == 30)
    }

    @Test func standsStillWhileBuffering() {
        var tracker = playing()
        tracker.apply(TransportChange(state: .transitioning), at: 4)
        #expect(tracker.phase == .buffering)
        #expect(tracker.position(at: 9) == 4)
        tracker.apply(TransportChange(state: .playing), at: 9)
        #expect(tracker.position(at: 10) == 5)
    }

    @Test func ignoresTheZeroSomeDevicesCountFromAtTheEnd() {
        var tracker = playing()
        tracker.apply(PositionInfo(position: 0, duration: nil), at: 29.5)
        #expect(tracker.position(at: 29.5) == 29.5)
        tracker.apply(TransportInfo(state: .stopped), at: 29.6)
        #expect(tracker.phase == .finished(.ended))
    }

    @Test func staysFinished() {
        var tracker = playing()
        tracker.apply(TransportChange(state: .stopped), at: 30)
        let finished = tracker
        for state in [TransportState.playing, .paused, .transitioning, .noMediaPresent, .other("X")] {
            tracker.apply(TransportChange(state: state, uri: "http://x/", position: 3), at: 31)
        }
        tracker.apply(PositionInfo(position: 3, duration: 4, metadata: "m"), at: 32)
        tracker.sought(to: 3, at: 33)
        #expect(tracker == finished)
        #expect(tracker.phase == .finished(.ended))
    }

    @Test func asksSeldomWhileEventsArrive() {
        let tracker = playing(duration: 100)
        #expect(tracker.pause(at: 0, hasEvents: true) == 5)
        #expect(tracker.pause(at: 0, hasEvents: false) == 1)
        #expect(tracker.pause(at: 98, hasEvents: true) == 2.5)
        #expect(tracker.pause(at: 103, hasEvents: true) == 0.5)
        #expect(playing(duration: nil).pause(at: 20, hasEvents: true) == 5)
        #expect(PlaybackTracker(uri: uri, now: 0).pause(at: 1, hasEvents: true) == 1)
    }

    @Test func asksOftenForTheLengthAtTheBeginning() {
        var tracker = playing(duration: nil)
        #expect(tracker.pause(at: 1, hasEvents: true) == 0.5)
        tracker.apply(TransportChange(state: .paused), at: 2)
        #expect(tracker.pause(at: 2, hasEvents: true) == 0.5)
        #expect(tracker.pause(at: 11, hasEvents: true) == 5)
        #expect(playing().pause(at: 1, hasEvents: true) == 5)
    }
}

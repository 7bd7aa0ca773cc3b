import MPDProtocol
import Testing

struct MPDPositionTests {
    @Test func publishesOnlyWhatTheLastSnapshotDoesNotForetell() {
        var tracker = MPDPositionTracker()
        func observe(_ state: MPDStatus.State, _ elapsed: Double, at now: Double) -> MPDPositionTracker.Snapshot? {
            tracker.observe(MPDStatus(state: state, elapsed: elapsed), isDecoding: true, now: now)
        }
        #expect(observe(.play, 0, at: 100) == .init(value: 0, time: 100, rate: 1))
        #expect(observe(.play, 4.6, at: 105) == nil)
        #expect(observe(.play, 30, at: 106) == .init(value: 30, time: 106, rate: 1))
        #expect(observe(.pause, 31, at: 107) == .init(value: 31, time: 107, rate: 0))
        #expect(observe(.pause, 31, at: 120) == nil)
        #expect(observe(.pause, 31.2, at: 120) == .init(value: 31.2, time: 120, rate: 0))
    }

    @Test func standsStillUntilTheSongIsDecoded() {
        var tracker = MPDPositionTracker()
        let opening = tracker.observe(MPDStatus(state: .play, elapsed: 0), isDecoding: false, now: 1)
        #expect(opening == .init(value: 0, time: 1, rate: 0))
        let playing = tracker.observe(MPDStatus(state: .play, elapsed: 0), isDecoding: true, now: 3)
        #expect(playing == .init(value: 0, time: 3, rate: 1))
    }

    @Test func freezesWhereItIs() {
        var tracker = MPDPositionTracker()
        #expect(tracker.freeze(now: 1) == nil)
        _ = tracker.observe(MPDStatus(state: .play, elapsed: 10), isDecoding: true, now: 1)
        #expect(tracker.freeze(now: 4) == .init(value: 13, time: 4, rate: 0))
        #expect(tracker.freeze(now: 9) == nil)
    }
}

import CoreMedia
import Glibc
import Testing

@Suite struct CMTimeRangeTests {
    private func seconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: seconds(start), end: seconds(end))
    }

    @Test func theEndIsOutside() {
        let range = range(10, 20)
        #expect(range.duration == seconds(10) && range.end == seconds(20))
        #expect(range.containsTime(seconds(10)) && range.containsTime(seconds(19)))
        #expect(!range.containsTime(seconds(20)) && !range.containsTime(seconds(9)))
        #expect(!range.containsTime(.invalid) && !CMTimeRange.zero.containsTime(.zero))
    }

    @Test func validity() {
        #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid)
        #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
        #expect(CMTimeRange(start: seconds(5), end: seconds(4)) == .invalid)
        #expect(!CMTimeRange(start: .zero, duration: seconds(-1)).isValid)
        #expect(CMTimeRangeMake(start: .zero, duration: seconds(-1)) == .invalid)
        let otherEpoch = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 3)
        #expect(!CMTimeRange(start: .zero, duration: otherEpoch).isValid)
        #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
    }

    @Test func intersection() {
        #expect(range(0, 10).intersection(range(5, 15)) == range(5, 10))
        #expect(range(0, 10).intersection(range(10, 15)).isEmpty)
        #expect(range(0, 10).intersection(range(11, 15)) == .zero)
        #expect(range(0, 10).intersection(.invalid) == .invalid)
        #expect(CMTimeRangeGetIntersection(range(0, 9), otherRange: range(2, 3)) == range(2, 3))
    }

    @Test func union() {
        #expect(range(0, 1).union(range(5, 6)) == range(0, 6))
        #expect(range(3, 4).union(.zero) == range(3, 4))
        #expect(CMTimeRange.zero.union(range(3, 4)) == range(3, 4))
        #expect(range(3, 4).union(.invalid) == .invalid)
    }

    @Test func containment() {
        #expect(range(0, 10).containsTimeRange(range(0, 10)))
        #expect(!range(0, 10).containsTimeRange(range(0, 11)))
        #expect(!range(0, 10).containsTimeRange(.invalid))
        #expect(CMTimeRangeContainsTimeRange(range(0, 10), otherRange: range(3, 3)))
    }

    @Test func infiniteRangesHoldTheFuture() {
        let open = CMTimeRange(start: seconds(5), duration: .positiveInfinity)
        #expect(open.isValid && open.containsTime(CMTime(value: .max, timescale: 1)))
        #expect(!open.containsTime(seconds(4)))
        #expect(open.intersection(range(0, 10)) == range(5, 10))
    }

    @Test func clamping() {
        #expect(CMTimeClampToRange(seconds(3), range: range(5, 10)) == seconds(5))
        #expect(CMTimeClampToRange(seconds(30), range: range(5, 10)) == seconds(10))
        #expect(CMTimeClampToRange(seconds(7), range: range(5, 10)) == seconds(7))
        #expect(CMTimeClampToRange(seconds(7), range: .zero) == .invalid)
    }

    @Test func rangesHashByMeaning() {
        let same = CMTimeRange(start: CMTime(value: 20, timescale: 2), duration: CMTime(value: 5, timescale: 1))
        #expect(Set([range(10, 15), same]).count == 1)
    }
}

@Suite struct CMClockTests {
    @Test func theHostClockNeverGoesBack() {
        let clock = CMClockGetHostTimeClock()
        #expect(clock === CMClock.hostTimeClock)
        var last = clock.time
        #expect(last.isNumeric && last.timescale == 1_000_000_000)
        for _ in 0..<1_000 {
            let now = CMClockGetTime(clock)
            #expect(now >= last)
            last = now
        }
    }

    @Test func itIsTheMonotonicClock() {
        var before = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        let time = CMClock.hostTimeClock.time
        var after = timespec()
        clock_gettime(CLOCK_MONOTONIC, &after)
        #expect(time >= CMTime(value: Int64(before.tv_sec), timescale: 1))
        #expect(time <= CMTime(value: Int64(after.tv_sec) + 1, timescale: 1))
    }
}

import HostCore
import Testing

@testable import HostSamples

/// Times in seconds are written with their nanoseconds.
struct MediaTimelineTests {
    private static let second: UInt64 = 1_000_000_000

    /// A timeline of ten seconds at 1,000 Hz, whose first second was delivered from 5 s on.
    private static func playing() -> MediaTimeline {
        var timeline = MediaTimeline(rate: 1_000)
        timeline.opened(duration: 10)
        #expect(timeline.time(at: 5 * second) == 5 * second)
        timeline.delivered(1_000)
        return timeline
    }

    private static func position(
        _ seconds: Double, at time: UInt64, isPlaying: Bool = true, isWaiting: Bool = false
    ) -> MediaPosition {
        MediaPosition(seconds: seconds, time: time, isPlaying: isPlaying, isWaiting: isWaiting)
    }

    @Test func thePositionRunsFromTheFirstBlockOn() {
        var timeline = MediaTimeline(rate: 1_000)
        #expect(timeline.position == Self.position(0, at: 0, isWaiting: true))
        _ = timeline.time(at: 5 * Self.second)
        let begin = timeline.position
        #expect(begin == Self.position(0, at: 5 * Self.second))
        timeline.delivered(300)
        _ = timeline.time(at: 5 * Self.second)
        timeline.delivered(300)
        #expect(timeline.position == begin && timeline.frame == 600, "nothing new is told")
    }

    @Test func aPauseKeepsThePlaceAndDelaysTheRest() {
        var timeline = Self.playing()
        timeline.setPlaying(false, at: 5_500_000_000)
        #expect(timeline.position == Self.position(1, at: 6 * Self.second, isPlaying: false))
        #expect(timeline.time(at: 5_500_000_000) == nil)
        timeline.setPlaying(true, at: 60 * Self.second)
        #expect(timeline.position == Self.position(1, at: 60 * Self.second))
        #expect(timeline.time(at: 60 * Self.second) == 60 * Self.second)
    }

    /// The samples that were delivered before a short pause are heard until their end.
    @Test func timesNeverOverlap() {
        var timeline = Self.playing()
        timeline.setPlaying(false, at: 5_500_000_000)
        timeline.setPlaying(true, at: 5_600_000_000)
        #expect(timeline.time(at: 5_600_000_000) == 6 * Self.second)
        #expect(timeline.position == Self.position(1, at: 6 * Self.second))
    }

    @Test func aSeekIsHeardAfterWhatWasDelivered() {
        var timeline = Self.playing()
        timeline.seek(toSeconds: 7.5, at: 5_500_000_000)
        #expect(timeline.position == Self.position(7.5, at: 6 * Self.second))
        #expect(timeline.time(at: 5_500_000_000) == nil, "the reader isn't there yet")
        #expect(timeline.takeOrder() == 7_500 && timeline.takeOrder() == nil)
        #expect(timeline.time(at: 5_500_000_000) == 6 * Self.second)
        #expect(timeline.frame == 1_000, "frames are counted on")
    }

    /// The block was on its way when the command came.
    @Test func aBlockThatIsSentDuringASeekDoesNotMoveThePlace() {
        var timeline = Self.playing()
        timeline.seek(toSeconds: 3, at: 5_500_000_000)
        timeline.delivered(100)
        #expect(timeline.position == Self.position(3, at: 6_100_000_000))
        #expect(timeline.takeOrder() == 3_000)
    }

    @Test func aBlockThatIsSentDuringAPauseMovesThePlace() {
        var timeline = Self.playing()
        timeline.setPlaying(false, at: 5_500_000_000)
        timeline.delivered(100)
        #expect(timeline.position.seconds == 1.1)
    }

    @Test(arguments: [(-1.0, 0), (11.0, 10_000), (Double.greatestFiniteMagnitude, 10_000)])
    func seeksStayInTheMedium(_ seconds: Double, _ frame: Int) {
        var timeline = Self.playing()
        timeline.seek(toSeconds: seconds, at: 5_500_000_000)
        #expect(timeline.takeOrder() == Int64(frame))
    }

    @Test func aStreamWithoutAnEndHasNoLimit() {
        var timeline = MediaTimeline(rate: 1_000)
        timeline.opened(duration: nil)
        timeline.seek(toSeconds: .greatestFiniteMagnitude, at: 0)
        #expect(timeline.takeOrder().map { $0 > 0 } == true)
    }

    @Test func lateDataIsWaitedForAndTheClockGoesOnWithIt() {
        var timeline = Self.playing()
        #expect(timeline.patience(at: 6 * Self.second) == Self.second)
        timeline.waited(until: 6_900_000_000)
        #expect(timeline.position.isWaiting == false)
        timeline.waited(until: 7 * Self.second)
        #expect(timeline.position == Self.position(1, at: 6 * Self.second, isWaiting: true))
        #expect(timeline.patience(at: 7 * Self.second) == nil)
        #expect(timeline.time(at: 9 * Self.second) == 9 * Self.second)
        #expect(timeline.position == Self.position(1, at: 9 * Self.second))
    }

    @Test func theRestIsWhatWasDeliveredAndIsNotOver() {
        let timeline = Self.playing()
        #expect(timeline.rest(at: 5_400_000_000) == 600_000_000)
        #expect(timeline.rest(at: 7 * Self.second) == 0)
    }
}

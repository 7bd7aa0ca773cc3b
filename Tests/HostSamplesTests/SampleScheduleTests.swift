import Testing

@testable import HostSamples

struct SampleScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func theRateDecidesNotTheReading() {
        var schedule = SampleSchedule(rate: 1_000)
        #expect(schedule.time(of: 100, at: 5 * Self.second) == 5 * Self.second)
        // Read early and late, but due a tenth of a second after the other.
        #expect(schedule.time(of: 100, at: 5 * Self.second) == 5_100_000_000)
        #expect(schedule.time(of: 100, at: 5_900_000_000) == 5_200_000_000)
        #expect(schedule.frame == 300)
    }

    @Test func afterAPauseItBeginsAnew() {
        var schedule = SampleSchedule(rate: 1_000)
        _ = schedule.time(of: 100, at: 0)
        #expect(schedule.time(of: 100, at: 9 * Self.second) == 9 * Self.second)
        #expect(schedule.time(of: 100, at: 9 * Self.second) == 9_100_000_000)
        #expect(schedule.frame == 300)
    }

    /// The rounding doesn't add up.
    @Test func hoursStayExact() {
        var schedule = SampleSchedule(rate: 44_100)
        var last: UInt64 = 0
        for _ in 0..<44_100 { last = schedule.time(of: 1_024, at: last) }
        #expect(last == 1_024 * Self.second - 1_024 * Self.second / 44_100 - 1)
    }

    @Test func aFileIsDeliveredHalfASecondEarlyAtMost() {
        #expect(SampleSchedule.pause(until: 3 * Self.second, at: 2 * Self.second) == Self.second / 2)
        #expect(SampleSchedule.pause(until: 3 * Self.second, at: 2_600_000_000) == 0)
        #expect(SampleSchedule.pause(until: 3 * Self.second, at: 9 * Self.second) == 0)
    }
}

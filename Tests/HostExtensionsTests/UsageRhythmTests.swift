import Foundation
import Testing

@testable import HostExtensions

struct UsageRhythmTests {
    @Test func whatHasNotRunIsNotCheckedAgain() {
        var rhythm = UsageRhythm()
        #expect(rhythm.isDue(processorTime: .milliseconds(40)))
        #expect(!rhythm.isDue(processorTime: .milliseconds(42)))
        // What it used since the last check adds up.
        #expect(rhythm.isDue(processorTime: .milliseconds(45)))
        #expect(!rhythm.isDue(processorTime: .milliseconds(45)))
    }

    @Test func nothingIsLeftOutForEver() {
        var rhythm = UsageRhythm()
        let checks = (0..<40).filter { _ in rhythm.isDue(processorTime: .zero) }
        #expect(checks == [0, 13, 26, 39])
    }

    @Test func descendantsMayHaveRun() {
        var rhythm = UsageRhythm()
        #expect(rhythm.isDue(processorTime: nil) && rhythm.isDue(processorTime: nil))
    }

    @Test func theClockOfAProcess() throws {
        let before = try #require(ProcessorClock.time(of: getpid()))
        var sum = 0
        while try #require(ProcessorClock.time(of: getpid())) - before < .milliseconds(20) { sum &+= 1 }
        #expect(sum > 0)
        #expect(ProcessorClock.time(of: -7) == nil)
    }

    @Test func timersOfOneIntervalFireTogether() {
        #expect(SharedTicks.next(.seconds(5), after: .seconds(3)) == .seconds(2))
        #expect(SharedTicks.next(.seconds(5), after: .milliseconds(14_500)) == .milliseconds(500))
        #expect(SharedTicks.next(.seconds(5), after: .seconds(10)) == .seconds(5))
    }
}

import Foundation
import Testing

@testable import HostExtensions

struct UsageRhythmTests {
    @Test func whatHasNotRunIsNotCheckedAgain() {
        var rhythm = UsageRhythm()
        // What it used since the last check adds up.
        let checks = [40, 42, 45, 45].map { rhythm.isDue(processorTime: .milliseconds($0)) }
        #expect(checks == [true, false, true, false])
    }

    @Test func nothingIsLeftOutForEver() {
        var rhythm = UsageRhythm()
        let checks = (0..<40).filter { _ in rhythm.isDue(processorTime: .zero) }
        #expect(checks == [0, 13, 26, 39])
    }

    @Test func descendantsMayHaveRun() {
        var rhythm = UsageRhythm()
        let checks = [rhythm.isDue(processorTime: nil), rhythm.isDue(processorTime: nil)]
        #expect(checks == [true, true])
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

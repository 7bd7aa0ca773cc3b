import Testing

@testable import DBus

@Suite struct LoopTimersTests {
    @Test func comeInTheOrderOfTheirTimes() {
        var generator = SystemRandomNumberGenerator()
        var timers = LoopTimers()
        let deadlines = (0..<1_000).map { _ in UInt64.random(in: 0..<500, using: &generator) }
        for deadline in deadlines { timers.insert(LoopTimer(deadline) {}) }
        #expect(timers.next == deadlines.min())
        #expect(timers.takeDue(250).map(\.deadline) == deadlines.filter { $0 <= 250 }.sorted())
        #expect(timers.takeDue(1_000).map(\.deadline) == deadlines.filter { $0 > 250 }.sorted())
        #expect(timers.next == nil && timers.takeDue(.max).isEmpty)
    }

    @Test func cancelledOnesDoNotComeAndDoNotPileUp() {
        var timers = LoopTimers()
        let kept = LoopTimer(7) {}
        timers.insert(kept)
        for index in 0..<10_000 {
            let timer = LoopTimer(UInt64(1_000 + index)) {}
            timers.insert(timer)
            timer.cancel()
        }
        #expect(timers.count < 200)
        #expect(timers.takeDue(.max).map(\.deadline) == [7])
        let first = LoopTimer(1) {}
        timers.insert(first)
        first.cancel()
        #expect(timers.next == nil)
    }
}

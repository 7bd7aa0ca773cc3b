import Testing

@testable import PushGateway

@Suite struct RefusalTests {
    @Test func whoIsRefusedAgainAndAgainWaitsLongerAndLonger() {
        var limits = RefusalLimits()
        for _ in 0..<RefusalLimits.allowance { limits.refused("a", at: 100) }
        #expect(limits.wait(of: "a", at: 100) == nil)
        var waits: [Int] = []
        var now: Int64 = 100
        for _ in 0..<8 {
            limits.refused("a", at: now)
            let wait = limits.wait(of: "a", at: now) ?? 0
            waits.append(wait)
            #expect(limits.wait(of: "b", at: now) == nil)
            now += Int64(wait)
            #expect(limits.wait(of: "a", at: now) == nil)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
        limits.accepted("a")
        limits.refused("a", at: now)
        #expect(limits.wait(of: "a", at: now) == nil)
    }

    @Test func aQuietPeerBeginsAnew() {
        var limits = RefusalLimits()
        for _ in 0..<20 { limits.refused("a", at: 0) }
        limits.refused("a", at: RefusalLimits.memory + 1)
        #expect(limits.wait(of: "a", at: RefusalLimits.memory + 1) == nil)
    }

    @Test func theTableIsBounded() {
        var limits = RefusalLimits()
        for index in 0..<5_000 { limits.refused("peer \(index)", at: Int64(index)) }
        #expect(limits.count <= RefusalLimits.capacity)
    }

    @Test func manyRefusalsAreOneLine() {
        var summary = RefusalSummary()
        #expect(summary.add("BadDeviceToken") == .tellAndOpen)
        for _ in 0..<19_999 { #expect(summary.add("BadDeviceToken") == .count) }
        #expect(summary.add("BadTopic") == .tell)
        #expect(summary.add("BadTopic") == .count)
        #expect(summary.close() == "BadDeviceToken: 19999, BadTopic: 1")
        #expect(summary.add("BadTopic") == .tellAndOpen)
        #expect(summary.close() == nil)
    }
}

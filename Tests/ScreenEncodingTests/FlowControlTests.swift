import ScreenEncoding
import Testing

@Suite struct FlowControlTests {
    private static let interval: Int64 = 33_333
    private static let full = 1 << 20

    private var flow = FlowControl(bitRates: 500_000...4_000_000)
    private var time: Int64 = 1_000_000_000

    /// Offers pictures at 30 a second.
    private mutating func offer(_ count: Int, backlog: Int = 0) -> [FlowControl.Decision] {
        (0..<count).map { _ in
            time += Self.interval
            return flow.picture(at: time, backlog: backlog)
        }
    }

    @Test mutating func theFirstPictureIsAKeyAndTimeBeginsWithIt() {
        #expect(flow.streamTime(of: time) == nil)
        #expect(offer(2) == [.encode(isKey: true), .encode(isKey: false)])
        #expect(flow.streamTime(of: time) == Self.interval)
        #expect(flow.streamTime(of: time - 2 * Self.interval) == nil, "before the first picture")
    }

    @Test mutating func picturesAreLeftOutWhileTheDeviceTakesNothing() {
        _ = offer(10)
        #expect(offer(3, backlog: Self.full).allSatisfy { $0 == .drop })
        #expect(offer(1) == [.encode(isKey: false)], "a short gap needs no key picture")
        #expect(flow.streamTime(of: time) == 13 * Self.interval, "time went on")
        #expect(flow.sent == 11 && flow.dropped == 3)
    }

    @Test mutating func aSmallBacklogIsNone() {
        #expect(offer(10, backlog: 20_000).allSatisfy { $0 != .drop })
    }

    @Test mutating func timeStandsStillDuringALongStall() throws {
        _ = offer(10)
        let before = try #require(flow.streamTime(of: time))
        _ = offer(300, backlog: Self.full)
        #expect(flow.streamTime(of: time) == nil, "no sound, either")
        #expect(flow.silence(at: time) > 290 * Self.interval)
        #expect(offer(1) == [.encode(isKey: true)])
        #expect(flow.streamTime(of: time) == before + FlowControl.patience)
    }

    @Test mutating func theBitRateFallsAfterDroppedPicturesAndRisesSlowly() {
        _ = offer(90)
        #expect(flow.bitRate == 4_000_000)
        _ = offer(2, backlog: Self.full)
        _ = offer(1)
        #expect(flow.bitRate == 2_800_000)
        // The previous reduction has to show its effect first.
        _ = offer(2, backlog: Self.full)
        _ = offer(1)
        #expect(flow.bitRate == 2_800_000)
        _ = offer(140)
        #expect(flow.bitRate == 2_800_000)
        _ = offer(15)
        #expect(flow.bitRate == 3_080_000)
        for _ in 0..<30 { _ = offer(151) }
        #expect(flow.bitRate == 4_000_000)
    }

    @Test mutating func theBitRateHasLimits() {
        _ = offer(90)
        for _ in 0..<60 {
            _ = offer(30, backlog: Self.full)
            _ = offer(3)
        }
        #expect(flow.bitRate == 500_000)
    }

    @Test mutating func aDeviceThatOnlyBeginsIsNotSlow() {
        _ = offer(3)
        _ = offer(90, backlog: Self.full)
        _ = offer(1)
        #expect(flow.bitRate == 4_000_000)
    }

    @Test func theLeadIsThereBeforeAnybodyReads() {
        var flow = FlowControl(bitRates: 500_000...4_000_000, lead: 500_000)
        var time: Int64 = 1_000_000_000
        var backlog = 0
        var taken = 0
        while flow.picture(at: time, backlog: backlog) != .drop {
            #expect(flow.hasLead == (flow.streamTime(of: time) ?? 0 >= 500_000))
            taken += 1
            time += Self.interval
            backlog += 16_667
        }
        #expect((15...17).contains(taken), "half a second: \(taken)")
        // From the first reader on, nothing waits.
        #expect(flow.picture(at: time + Self.interval, backlog: 100_000) == .drop)
        #expect(flow.picture(at: time + 2 * Self.interval, backlog: 0) != .drop)
        #expect(flow.picture(at: time + 3 * Self.interval, backlog: 100_000) == .drop)
    }
}

import Testing

@testable import PlaybackKit

struct ClockEstimateTests {
    private func exchange(_ sent: Double, _ there: Double, _ back: Double, ahead: Double) -> ClockExchange {
        .init(sent: sent, received: sent + there + back, remote: sent + there + ahead)
    }

    @Test func halfOfTheWayIsHowWrongItMayBe() throws {
        var clock = ClockEstimate()
        #expect(clock.offset(at: 0) == nil)
        clock.add(exchange(10, 0.004, 0.004, ahead: 500))
        let even = try #require(clock.offset(at: 10.008))
        #expect(abs(even.value - 500) < 1e-9 && abs(even.uncertainty - 0.004) < 1e-9)
        clock.add(exchange(10, 0.001, 0.002, ahead: 500))
        let closer = try #require(clock.offset(at: 10.008))
        #expect(abs(closer.value - 500) <= closer.uncertainty && closer.uncertainty < 0.002)
    }

    @Test func theShortestCountsUntilItIsOld() throws {
        var clock = ClockEstimate()
        clock.add(exchange(0, 0.0001, 0.0001, ahead: 1))
        clock.add(exchange(4, 0.02, 0.001, ahead: 1))
        #expect(abs(try #require(clock.offset(at: 4.1)).value - 1) < 1e-6)
        // The possible drift by then exceeds the error of a longer round trip.
        clock.add(exchange(60, 0.002, 0.002, ahead: 1.02))
        #expect(abs(try #require(clock.offset(at: 60.1)).value - 1.02) < 1e-6)
    }

    @Test func onlyTheLastOnesAreKept() throws {
        var clock = ClockEstimate()
        clock.add(exchange(0, 0, 0, ahead: 7))
        for number in 1...8 { clock.add(exchange(Double(number), 0.001, 0.001, ahead: 3)) }
        #expect(abs(try #require(clock.offset(at: 8)).value - 3) < 1e-6)
    }

    @Test func whatCannotBeIsNotCounted() {
        var clock = ClockEstimate()
        clock.add(.init(sent: 5, received: 4, remote: 1))
        clock.add(.init(sent: 5, received: 6, remote: .nan))
        #expect(clock.offset(at: 6) == nil)
    }
}

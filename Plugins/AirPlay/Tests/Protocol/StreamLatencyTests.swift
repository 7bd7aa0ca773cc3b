import AirPlayProtocol
import Testing

struct StreamLatencyTests {
    @Test func theUsualOneIsTwoSeconds() {
        #expect(StreamLatency().seconds == 2 && StreamLatency().startAmount == 42)
    }

    @Test(arguments: [(0.02, 0.5), (0.8, 0.5), (1.59, 1.0), (2.84, 2.0), (10, 2.0)])
    func aRequestIsMetWithinTheLimits(requested: Double, seconds: Double) {
        #expect(abs(StreamLatency(requested: requested).seconds - seconds) < 1e-9)
    }

    @Test func lessWaitsBeforeAShortOne() {
        #expect(StreamLatency(requested: 0.5).startAmount == 15)
        #expect(StreamLatency(requested: 1.59).startAmount == 31)
    }
}

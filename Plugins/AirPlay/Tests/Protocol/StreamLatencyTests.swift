import AirPlayProtocol
import Testing

struct StreamLatencyTests {
    @Test func theUsualOneIsTwoSeconds() {
        #expect(StreamLatency().seconds == 2)
    }

    @Test(arguments: [(0.02, 0.5), (0.7, 0.5), (1.2, 1.0), (2.2, 2.0), (10, 2.0)])
    func aRequestIsMetWithinTheLimits(requested: Double, seconds: Double) {
        #expect(abs(StreamLatency(requested: requested).seconds - seconds) < 1e-9)
    }
}

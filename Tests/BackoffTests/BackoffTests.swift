import Backoff
import Testing

@Suite struct BackoffTests {
    private func pauses(_ count: Int, of backoff: inout Backoff) -> [Duration] {
        (0..<count).map { _ in backoff.next() }
    }

    @Test func pausesDoubleUpToTheLongest() {
        var backoff = Backoff(from: .seconds(2), upTo: .seconds(60))
        #expect(pauses(8, of: &backoff) == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        backoff.reset()
        #expect(pauses(2, of: &backoff) == [.seconds(2), .seconds(4)])
    }

    @Test func theFirstPauseIsNoLongerThanTheLongest() {
        var backoff = Backoff(from: .seconds(9), upTo: .seconds(5))
        #expect(pauses(2, of: &backoff) == [.seconds(5), .seconds(5)])
    }
}

import ConnectionLimits
import Testing

struct ConnectionLimitTests {
    @Test func countsInTotalAndByPeer() {
        let limit = ConnectionLimit(total: 5, perPeer: 3)
        #expect((0..<10).filter { _ in limit.admit("a") }.count == 3)
        #expect((0..<10).filter { _ in limit.admit("b") }.count == 2)
        #expect(limit.count == 5)
        limit.leave("a")
        #expect(!limit.admit("b") || limit.count == 5)
        limit.leave("nobody")
        #expect(limit.count == 5)
    }

    /// Few that take all they can get leave room for many that need little.
    @Test func theLastPlacesAreForWhoHasFew() {
        let limit = ConnectionLimit(total: 800, perPeer: 100, modest: 8)
        for greedy in 0..<7 { for _ in 0..<200 { _ = limit.admit("greedy \(greedy)") } }
        #expect(limit.count == 700)
        #expect((0..<100).filter { limit.admit("modest \($0)") }.count == 100)
        #expect(limit.count == 800 && !limit.admit("one more"))
        limit.leave("greedy 0")
        #expect(!limit.admit("greedy 1"))
        #expect((0..<9).filter { _ in limit.admit("modest 0") }.count == 1)
    }
}

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
}

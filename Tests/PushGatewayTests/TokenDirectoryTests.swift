import PushInterface
import Testing

@testable import PushGateway

struct TokenDirectoryTests {
    private let holding = PushRegistration(application: "a", session: nil)
    private let over = PushRegistration(application: "a", session: nil, retired: 7)

    @Test func nothingIsSaidBeforeEverythingHasCome() {
        var directory = TokenDirectory()
        directory.take("t", host: "living", holding.bytes)
        #expect(directory.finding("t") == nil)
        directory.expect("t")
        #expect(directory.finding("t") == nil)
        directory.complete("t")
        #expect(directory.finding("t") == .unknown)
        directory.take("t", host: "living", holding.bytes)
        #expect(directory.finding("t") == .holds(host: "living", holding))
        directory.take("t", host: "living", over.bytes)
        #expect(directory.finding("t") == .retired(since: 7))
        directory.take("t", host: "living", [])
        #expect(directory.finding("t") == .unknown)
        directory.forgetAll()
        #expect(directory.finding("t") == nil)
    }

    @Test func oneThatSeveralClaimGoesToNobody() {
        var directory = TokenDirectory()
        directory.expect("t")
        directory.take("t", host: "living", holding.bytes)
        directory.take("t", host: "kitchen", holding.bytes)
        directory.complete("t")
        #expect(directory.finding("t") == .contested)
        directory.take("t", host: "kitchen", over.bytes)
        #expect(directory.finding("t") == .holds(host: "living", holding))
        directory.take("t", host: "living", Array("{nonsense".utf8))
        #expect(directory.finding("t") == .retired(since: 7))
    }

    @Test func whatWasNotUsedForLongestMakesRoom() {
        var directory = TokenDirectory(limit: 16)
        for number in 0..<16 {
            directory.expect("\(number)")
            directory.complete("\(number)")
        }
        #expect(directory.makeRoom().isEmpty)
        _ = directory.finding("0")
        directory.expect("16")
        #expect(Set(directory.makeRoom()) == ["1", "2", "3"])
        #expect(directory.count == 14 && directory.finding("0") == .unknown)
    }

    @Test func aBrokerKeepsAPushForAsLongAsTheServerWants() {
        #expect(BrokerDelivery.expiry(nil, now: 100) == 30 * 86_400)
        #expect(BrokerDelivery.expiry(0, now: 100) == 1)
        #expect(BrokerDelivery.expiry(160, now: 100) == 60)
        #expect(BrokerDelivery.expiry(.max, now: 100) == 30 * 86_400)
    }
}

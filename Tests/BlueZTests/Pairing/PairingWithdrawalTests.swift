import Testing

@testable import BlueZ

struct PairingWithdrawalTests {
    private typealias Facts = PairingWithdrawal.Facts

    private static let shown: [Facts?] = [
        nil, Facts(hasKeys: false, isConnected: false), Facts(hasKeys: false, isConnected: true),
        Facts(hasKeys: true, isConnected: false), Facts(hasKeys: true, isConnected: true),
    ]

    /// Every order in which bluetoothd can tell of the device within seven looks: 78,125.
    @Test func endsAndNeverWithKeysThatNobodyKnowsOf() {
        let length = 7
        for number in 0..<(0..<length).reduce(1, { product, _ in product * Self.shown.count }) {
            var rest = number
            var withdrawal = PairingWithdrawal()
            var end: (facts: Facts?, isClean: Bool)?
            var removals = 0
            for _ in 0..<length {
                let facts = Self.shown[rest % Self.shown.count]
                rest /= Self.shown.count
                let step = withdrawal.next(facts)
                if step == .remove { removals += 1 }
                guard case .end(let isClean) = step else { continue }
                end = (facts, isClean)
                break
            }
            guard let end else {
                Issue.record("no end: \(number)")
                continue
            }
            #expect(end.isClean == (end.facts?.hasKeys != true), "\(number)")
            #expect(end.isClean || removals == 3, "\(number)")
        }
    }

    @Test func disconnectsBeforeItTrustsThatThereAreNoKeys() {
        var withdrawal = PairingWithdrawal()
        #expect(withdrawal.next(Facts(hasKeys: false, isConnected: true)) == .disconnect)
        #expect(withdrawal.next(Facts(hasKeys: true, isConnected: false)) == .remove)
        #expect(withdrawal.next(nil) == .end(isClean: true))
    }

    @Test func aDeviceThatStaysConnectedIsNotDisconnectedForEver() {
        var withdrawal = PairingWithdrawal()
        let facts = Facts(hasKeys: false, isConnected: true)
        for _ in 0..<3 { #expect(withdrawal.next(facts) == .disconnect) }
        #expect(withdrawal.next(facts) == .end(isClean: true))
    }
}

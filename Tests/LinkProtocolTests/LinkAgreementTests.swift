import LinkProtocol
import Testing

@Suite struct LinkAgreementTests {
    private func agreement(
        _ newest: Int, _ oldest: Int? = nil, host: ClosedRange<Int> = 2...4, sdk: String = "7.1"
    ) -> LinkAgreement {
        LinkAgreement(
            LinkGreeting(
                sdkVersion: sdk, linkVersion: newest, oldestLinkVersion: oldest, protocolIdentifier: "org.example.p",
                supportsSimultaneousSessions: false),
            host: host)
    }

    @Test(
        arguments: [(4, nil, 4), (2, nil, 2), (9, 1, 4), (5, 4, 4), (3, 1, 3), (2, 2, 2), (3, 9, 3)]
            as [(Int, Int?, Int)])
    func theNewestThatBothKnowIsSpoken(newest: Int, oldest: Int?, spoken: Int) {
        #expect(agreement(newest, oldest) == .version(spoken))
    }

    @Test func whoIsTooOldIsTold() {
        #expect(
            agreement(5)
                == .none("needs a newer mdhost: its SDK 7.1 speaks version 5 of the link, and this mdhost version 4"))
        #expect(
            agreement(9, 5)
                == .none("needs a newer mdhost: its SDK 7.1 speaks version 9 of the link, and this mdhost version 4"))
        #expect(
            agreement(1, 0)
                == .none("has to be built again: its SDK 7.1 speaks version 1 of the link, and this mdhost version 2"))
    }

    @Test(arguments: [Int.min, -1, 0, Int.max])
    func nonsenseIsRefused(version: Int) {
        guard case .none(let reason) = agreement(version, .max, sdk: String(repeating: "9", count: 5_000)) else {
            Issue.record("version \(version) is spoken")
            return
        }
        #expect(reason.count < 200)
    }
}

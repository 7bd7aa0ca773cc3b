import Testing

@testable import HostCore

struct DevicePresenceTests {
    private func presence(reported ids: String..., by identifier: String = "test") -> DevicePresence {
        var presence = DevicePresence()
        for id in ids { presence.reported(id, by: identifier) }
        return presence
    }

    @Test func anAnswerMakesAReportedDeviceReady() {
        var presence = presence(reported: "A")
        #expect(presence.conclude("A", true) == .ready)
        // Another device may be where a remembered one was.
        #expect(presence.conclude("B", true) == nil)
        #expect(presence.conclude("B", false) == .remembered)
        #expect(!presence.isSilent("B"), "its extension will tell if it is there")
    }

    @Test func whatDoesNotAnswerIsSilentUntilItDoes() {
        var presence = presence(reported: "A")
        #expect(presence.conclude("A", false) == .remembered && presence.isSilent("A"))
        #expect(presence.conclude("A", true) == .ready && !presence.isSilent("A"))
    }

    @Test func theExtensionsWordOfThisLookCountsForWhatCannotBeAsked() {
        var presence = presence(reported: "A")
        #expect(presence.conclude("A", nil) == .ready)
        presence.endLook()
        #expect(presence.isReported("A") && presence.conclude("A", nil) == nil)
        presence.reported("A", by: "test")
        #expect(presence.conclude("A", nil) == .ready)
    }

    @Test func aForgottenDeviceStaysOnlyIfItAnswers() {
        var presence = presence(reported: "A", "B")
        presence.forget("A")
        presence.forget("B")
        #expect(presence.conclude("A", false) == .gone && presence.conclude("B", true) == .ready)
        #expect(presence.conclude("B", false) == .remembered, "once it answered it is a device like any other")
    }

    @Test func aLeaseWaitsForEveryAnswerOfItsRounds() {
        var presence = presence(reported: "A", "B")
        let first = presence.begin(["A", "B"], for: "one")
        let second = presence.begin(["B"], for: "two")
        #expect(presence.answered("A") == [] && presence.pending(first) == ["B"])
        #expect(presence.isAwaited(by: "one") && presence.isAwaited(by: "two"))
        presence.end(second)
        #expect(!presence.isAwaited(by: "two"))
        #expect(presence.answered("B") == [first] && !presence.isAwaited(by: "one"))
    }

    @Test func theEndOfAProcessTakesItsReportsAlong() {
        var presence = presence(reported: "A", "B")
        presence.reported("C", by: "other")
        #expect(presence.processEnded("test").sorted() == ["A", "B"])
        #expect(!presence.isReported("A") && presence.isReported("C"))
        presence.lost("C")
        #expect(presence.count == 0)
    }
}

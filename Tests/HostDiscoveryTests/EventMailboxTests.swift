import HostInterface
import Testing

@testable import HostDiscovery

struct EventMailboxTests {
    private func item(_ name: String, _ address: String = "10.0.0.1") -> BrowseItem {
        BrowseItem(name: name, type: "_mpd._tcp", domain: "local", addresses: [address])
    }

    private func contents(_ mailbox: inout EventMailbox) -> [BrowseEvent] {
        var events: [BrowseEvent] = []
        while let event = mailbox.take() { events.append(event) }
        return events
    }

    @Test func keepsTheOrderOfItemsAndSaysStatesAfterThem() {
        var mailbox = EventMailbox()
        mailbox.put(BrowseEvent(.settled))
        for name in ["b", "a", "c"] { mailbox.put(BrowseEvent(.found, item: item(name))) }
        let events = contents(&mailbox)
        #expect(events.map { $0.item?.name ?? $0.kind.rawValue } == ["b", "a", "c", "settled"])
        #expect(mailbox.isEmpty)
    }

    @Test func slowReaderIsToldTheOutcomeOnly() {
        var mailbox = EventMailbox()
        mailbox.put(BrowseEvent(.found, item: item("gone")))
        mailbox.put(BrowseEvent(.lost, item: item("gone")))
        mailbox.put(BrowseEvent(.found, item: item("moved")))
        for number in 2..<200 { mailbox.put(BrowseEvent(.changed, item: item("moved", "10.0.0.\(number)"))) }
        let events = contents(&mailbox)
        #expect(events == [BrowseEvent(.found, item: item("moved", "10.0.0.199"))])
    }

    @Test func lossAndReturnBetweenTwoReadsIsAChangeOrNothing() {
        var mailbox = EventMailbox()
        mailbox.put(BrowseEvent(.found, item: item("a")))
        _ = mailbox.take()
        mailbox.put(BrowseEvent(.lost, item: item("a")))
        mailbox.put(BrowseEvent(.found, item: item("a")))
        let same = contents(&mailbox)
        #expect(same.isEmpty)
        mailbox.put(BrowseEvent(.lost, item: item("a")))
        mailbox.put(BrowseEvent(.found, item: item("a", "10.0.0.2")))
        let other = contents(&mailbox)
        #expect(other == [BrowseEvent(.changed, item: item("a", "10.0.0.2"))])
        mailbox.put(BrowseEvent(.lost, item: item("a", "10.0.0.2")))
        let lost = contents(&mailbox)
        #expect(lost.map(\.kind) == [.lost])
    }

    @Test func settledIsNotSwallowedByAnOutage() {
        var mailbox = EventMailbox()
        mailbox.put(BrowseEvent(.settled))
        mailbox.put(BrowseEvent(.waiting, message: "down"))
        mailbox.put(BrowseEvent(.waiting, message: "still down"))
        let events = contents(&mailbox)
        #expect(events == [BrowseEvent(.settled), BrowseEvent(.waiting, message: "still down")])
        mailbox.put(BrowseEvent(.ready))
        let outcome1 = contents(&mailbox)
        #expect(outcome1 == [BrowseEvent(.ready)])
        mailbox.put(BrowseEvent(.waiting, message: "down"))
        mailbox.put(BrowseEvent(.ready))
        let outcome2 = contents(&mailbox)
        #expect(outcome2.isEmpty, "an outage that is over before it was told")
    }
}

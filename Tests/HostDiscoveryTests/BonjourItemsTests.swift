import Avahi
import Foundation
import HostInterface
import Testing

@testable import HostDiscovery

struct BonjourItemsTests {
    private func row(_ name: String = "A", _ interface: Int32 = 2, _ family: AvahiFamily = .ipv4) -> AvahiService {
        AvahiService(
            name: name, type: "_mpd._tcp", domain: "local", interfaceIndex: interface,
            interfaceName: interface == 2 ? "eth0" : "wlan0", family: family)
    }

    private func answer(_ address: String?, txt: String = "1") -> AvahiResolution {
        AvahiResolution(host: "hosta.local", address: address, port: 6600, txt: ["v": Array(txt.utf8)])
    }

    @Test func withoutResolversItemsAreReportedAtOnceAndMerged() {
        var items = BonjourItems(resolves: false)
        let first = items.apply(.added(row()))
        #expect(first.map(\.kind) == [.found])
        #expect(first.first?.item?.addresses == [])
        let outcome1 = items.apply(.added(row("A", 2, .ipv6)))
        #expect(outcome1.isEmpty, "the same item on the same interface")
        let other = items.apply(.added(row("A", 3)))
        #expect(other.map(\.kind) == [.changed])
        #expect(other.first?.item?.interfaces == ["eth0", "wlan0"])
        let outcome2 = items.apply(.removed(row("A", 3)))
        #expect(outcome2.first?.item?.interfaces == ["eth0"])
        let outcome3 = items.apply(.removed(row()))
        #expect(outcome3.isEmpty)
        let outcome4 = items.apply(.removed(row("A", 2, .ipv6)))
        #expect(outcome4.map(\.kind) == [.lost])
        let outcome5 = items.apply(.removed(row()))
        #expect(outcome5.isEmpty)
    }

    @Test func withResolversTheFirstReportHasTheAddress() {
        var items = BonjourItems(resolves: true)
        let outcome6 = items.apply(.added(row("A", 2, .ipv6)))
        #expect(outcome6.isEmpty)
        let outcome7 = items.apply(.added(row()))
        #expect(outcome7.isEmpty)
        let found = items.apply(.resolved(row("A", 2, .ipv6), answer("fe80::1%eth0")))
        #expect(found.map(\.kind) == [.found])
        #expect(found.first?.item?.addresses == ["fe80::1%eth0"])
        let more = items.apply(.resolved(row(), answer("10.0.0.1")))
        #expect(more.map(\.kind) == [.changed])
        #expect(more.first?.item?.addresses == ["10.0.0.1", "fe80::1%eth0"])
        #expect(more.first?.item?.host == "hosta.local")
        #expect(more.first?.item?.port == 6600)
        #expect(more.first?.item?.txt == ["v": Data("1".utf8)])
        let outcome8 = items.apply(.resolved(row(), answer("10.0.0.1")))
        #expect(outcome8.isEmpty)
        let text = items.apply(.resolved(row(), answer("10.0.0.1", txt: "2")))
        #expect(text.first?.item?.txt == ["v": Data("2".utf8)])
    }

    @Test func serviceNobodyAnswersForIsFoundAndNeverLost() {
        var items = BonjourItems(resolves: true)
        _ = items.apply(.added(row()))
        let silent = items.apply(.unresolved(row(), AvahiError(.timeout)))
        #expect(silent.map(\.kind) == [.found])
        #expect(silent.first?.item?.addresses == [])
        let late = items.apply(.resolved(row(), answer("10.0.0.1")))
        #expect(late.map(\.kind) == [.changed])
        let again = items.apply(.unresolved(row(), AvahiError(.timeout)))
        #expect(again.map(\.kind) == [.changed])
        #expect(again.first?.item?.addresses == [])
        #expect(again.first?.item?.txt == ["v": Data("1".utf8)], "what it said last")
    }

    @Test func settlingReportsWhatStillWaitsForAnAnswer() {
        var items = BonjourItems(resolves: true)
        _ = items.apply(.added(row("A")))
        _ = items.apply(.added(row("B")))
        _ = items.apply(.resolved(row("A"), answer("10.0.0.1")))
        let events = items.apply(.settled)
        #expect(events.map(\.kind) == [.found, .settled])
        #expect(events.first?.item?.name == "B")
        let outcome9 = items.apply(.removed(row("B")))
        #expect(outcome9.map(\.kind) == [.lost])
    }

    @Test func serviceGoneBeforeItsFirstAnswerWasNeverThere() {
        var items = BonjourItems(resolves: true)
        _ = items.apply(.added(row()))
        let outcome10 = items.apply(.removed(row()))
        #expect(outcome10.isEmpty)
        let outcome11 = items.apply(.resolved(row(), answer("10.0.0.1")))
        #expect(outcome11.isEmpty)
        let outcome12 = items.apply(.settled)
        #expect(outcome12.map(\.kind) == [.settled])
    }

    @Test func outagesHaveASentence() {
        var items = BonjourItems(resolves: false)
        let events = items.apply(.waiting(AvahiError(.noDaemon)))
        #expect(events == [BrowseEvent(.waiting, message: "Avahi does not answer: Daemon not running.")])
    }

    @Test func addressesAreInTheOrderToTry() {
        #expect(
            AddressOrder.sorted(["fe80::1%eth0", "fd77::1", "10.0.0.2", "fd77::1", "10.0.0.1"])
                == ["10.0.0.2", "10.0.0.1", "fd77::1", "fe80::1%eth0"])
    }
}

import HostInterface
import Testing

@testable import HostDiscovery

struct ManualOverlayTests {
    private func item(_ name: String, _ address: String = "10.0.0.1", port: Int = 6_600) -> BrowseItem {
        BrowseItem(name: name, type: "_mpd._tcp", domain: "local", addresses: [address], port: port)
    }

    private func told(_ events: [BrowseEvent]) -> [String] {
        events.map { [$0.kind.rawValue, $0.item?.name].compactMap(\.self).joined(separator: " ") }
    }

    @Test func whatIsAddedComesAndGoes() {
        var overlay = ManualOverlay()
        let added = overlay.set([item("A"), item("B", "10.0.0.2")])
        #expect(told(added) == ["found A", "found B"])
        let same = overlay.set([item("A"), item("B", "10.0.0.2")])
        #expect(same.isEmpty)
        let moved = overlay.set([item("A", "10.0.0.3")])
        #expect(told(moved) == ["lost B", "changed A"])
        let removed = overlay.set([])
        #expect(told(removed) == ["lost A"])
    }

    /// One server, added by its address and announced by its name.
    @Test func whatIsFoundByItselfIsNotToldOfTwice() {
        var overlay = ManualOverlay()
        _ = overlay.set([item("10.0.0.1")])
        let found = overlay.apply(BrowseEvent(.found, item: item("Room[7]")))
        #expect(told(found) == ["lost 10.0.0.1", "found Room[7]"])
        let gone = overlay.apply(BrowseEvent(.lost, item: item("Room[7]")))
        #expect(told(gone) == ["lost Room[7]", "found 10.0.0.1"])
    }

    @Test func twoAtOneAddressAreTwo() {
        var overlay = ManualOverlay()
        _ = overlay.set([item("A")])
        let other = overlay.apply(BrowseEvent(.found, item: item("B", port: 6_601)))
        #expect(told(other) == ["found B"])
    }

    @Test func theSameNameIsTheSameItemWhoeverFindsIt() {
        var overlay = ManualOverlay()
        _ = overlay.set([item("A")])
        let announced = overlay.apply(BrowseEvent(.found, item: item("A", "10.0.0.9")))
        #expect(told(announced) == ["changed A"])
        let withdrawn = overlay.apply(BrowseEvent(.lost, item: item("A", "10.0.0.9")))
        #expect(withdrawn == [BrowseEvent(.changed, item: item("A"))])
        let settled = overlay.apply(BrowseEvent(.settled))
        #expect(told(settled) == ["settled"])
    }

    /// Avahi keeps listing a service that can't be resolved; the person has entered its address.
    @Test func aNameNobodyAnswersForIsWhereItWasAdded() {
        var overlay = ManualOverlay()
        let silent = BrowseItem(name: "A", type: "_mpd._tcp", domain: "local", interfaces: ["eth0"])
        let placed = BrowseItem(
            name: "A", type: "_mpd._tcp", domain: "local", interfaces: ["eth0"], addresses: ["10.0.0.1"], port: 6_600)
        let listed = overlay.apply(BrowseEvent(.found, item: silent))
        #expect(listed == [BrowseEvent(.found, item: silent)])
        let added = overlay.set([item("A")])
        #expect(added == [BrowseEvent(.changed, item: placed)])
        let again = overlay.apply(BrowseEvent(.changed, item: silent))
        #expect(again == [BrowseEvent(.changed, item: placed)])
        let answered = overlay.apply(BrowseEvent(.changed, item: item("A", "10.0.0.9")))
        #expect(answered == [BrowseEvent(.changed, item: item("A", "10.0.0.9"))])
        _ = overlay.apply(BrowseEvent(.changed, item: silent))
        let removed = overlay.set([])
        #expect(removed == [BrowseEvent(.changed, item: silent)])
    }

    /// It is shown under the name that was found, and not a second time under its address.
    @Test func whatWasAddedByAnAddressIsNotDoubledByASilentName() {
        var overlay = ManualOverlay()
        let silent = BrowseItem(name: "A", type: "_mpd._tcp", domain: "local")
        _ = overlay.apply(BrowseEvent(.found, item: silent))
        let added = overlay.set([item("A"), item("10.0.0.1")])
        #expect(told(added) == ["changed A"])
    }
}

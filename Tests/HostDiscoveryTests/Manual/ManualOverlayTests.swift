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
}

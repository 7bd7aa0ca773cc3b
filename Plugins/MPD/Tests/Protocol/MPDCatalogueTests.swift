import Foundation
import MPDProtocol
import Testing

struct MPDCatalogueTests {
    typealias Sighting = MPDCatalogue.Sighting

    static func room(_ process: Int, _ address: String = "10.0.0.5:6600", host: String = "") -> Sighting {
        Sighting(service: "Room[\(process)]", host: host, port: 6600, endpoints: [address])
    }

    static func server(_ name: String, _ endpoints: [String], text: String) -> MPDCatalogue.Server {
        MPDCatalogue.Server(stableText: text, name: name, endpoints: endpoints)
    }

    static let roomText = "mpd:Room\u{0}\u{0}6600"

    @Test func findsUpdatesAndLoses() {
        var catalogue = MPDCatalogue()
        let first = Self.server("Room", ["10.0.0.5:6600"], text: Self.roomText)
        let moved = Self.server("Room", ["10.0.0.9:6600"], text: Self.roomText)
        #expect(catalogue.update([Self.room(28)]) == [.found(first)])
        #expect(catalogue.update([Self.room(28)]) == [])
        #expect(catalogue.update([Self.room(28, "10.0.0.9:6600")]) == [.updated(moved)])
        #expect(catalogue.update([]) == [.lost(moved)])
    }

    @Test func leavesOutServicesWithoutAddresses() {
        var catalogue = MPDCatalogue()
        #expect(catalogue.update([Sighting(service: "Room[1]", host: "", port: 0, endpoints: [])]) == [])
    }

    @Test func isOneServerBesideItsOldAnnouncement() {
        var catalogue = MPDCatalogue()
        _ = catalogue.update([Self.room(28)])
        #expect(catalogue.update([Self.room(28), Self.room(99)]) == [])
        #expect(catalogue.update([Self.room(99)]) == [])
    }

    @Test func keepsTwinsOfUnknownHostsApart() {
        var catalogue = MPDCatalogue()
        _ = catalogue.update([Self.room(99)])
        let changes = catalogue.update([Self.room(99), Self.room(28, "10.0.0.6:6600")])
        #expect(
            changes.contains(.found(Self.server("Room[28]", ["10.0.0.6:6600"], text: "mpd:Room[28]\u{0}\u{0}6600"))))
        #expect(!changes.contains { if case .lost = $0 { true } else { false } })
        #expect(catalogue.update([Self.room(99), Self.room(28, "10.0.0.6:6600")]) == [])
    }

    static func renamed(_ name: String, host: String = "attic.local", port: Int = 6600) -> Sighting {
        Sighting(service: name, host: host, port: port, endpoints: ["10.0.0.5:\(port)"])
    }

    @Test func aRenamedServerIsTheSameUnderItsNewName() {
        var catalogue = MPDCatalogue()
        let text = "mpd:Attic\u{0}attic.local\u{0}6600"
        let before = Self.server("Attic", ["10.0.0.5:6600"], text: text)
        let after = Self.server("Loft", ["10.0.0.5:6600"], text: text)
        #expect(catalogue.update([Self.renamed("Attic[1]")]) == [.found(before)])
        // Both announcements for a while, then the new one alone.
        #expect(catalogue.update([Self.renamed("Attic[1]"), Self.renamed("Loft[2]")]) == [.updated(after)])
        #expect(catalogue.update([Self.renamed("Loft[2]")]) == [])
        // The next run, and one after another renaming.
        var next = MPDCatalogue(places: catalogue.places)
        #expect(next.update([Self.renamed("Loft[3]")]) == [.found(after)])
        #expect(next.update([]) == [.lost(after)])
        let again = Self.server("Roof", ["10.0.0.5:6600"], text: text)
        #expect(next.update([Self.renamed("Roof")]) == [.found(again)])
    }

    @Test func whatMovedToTheHostOfAnotherIsNotTakenForIt() {
        var catalogue = MPDCatalogue()
        let kitchen = Self.renamed("Kitchen", host: "one.local")
        let bath = Self.renamed("Bath", host: "two.local")
        _ = catalogue.update([kitchen, bath])
        let swapped = [Self.renamed("Bath", host: "one.local"), Self.renamed("Kitchen", host: "two.local")]
        _ = catalogue.update([])
        let found = catalogue.update(swapped)
        #expect(
            found == [
                .found(Self.server("Bath", ["10.0.0.5:6600"], text: "mpd:Bath\u{0}one.local\u{0}6600")),
                .found(Self.server("Kitchen", ["10.0.0.5:6600"], text: "mpd:Kitchen\u{0}two.local\u{0}6600")),
            ])
    }

    /// Two hosts that were both called `pi` change their numbers when the other one starts first.
    @Test(arguments: [["pi.local", "pi-2.local"], ["pi-2.local", "pi.local"], ["pi-2.local", "pi-3.local"]])
    func hostsThatMayChangeTheirNamesAreNoIdentity(_ hosts: [String]) {
        var catalogue = MPDCatalogue()
        _ = catalogue.update([
            Self.renamed("Kitchen", host: hosts[0]), Self.renamed("Bath", host: hosts[1]),
        ])
        _ = catalogue.update([])
        // The one alone, before the other is back.
        let found = catalogue.update([Self.renamed("Bath", host: hosts[0])])
        #expect(
            found == [
                .found(Self.server("Bath", ["10.0.0.5:6600"], text: "mpd:Bath\u{0}\(hosts[0])\u{0}6600"))
            ])
    }

    @Test func aFloodOfNamesIsNotKept() throws {
        var catalogue = MPDCatalogue()
        for number in 0..<2_000 { _ = catalogue.update([Self.renamed("A", host: "h\(number).local")]) }
        let data = try JSONEncoder().encode(catalogue.places)
        #expect(data.count < 20_000)
    }

    @Test func tellsTwinsApartByTheirHosts() {
        var catalogue = MPDCatalogue()
        let changes = catalogue.update([
            Self.room(1, host: "pi.local"), Self.room(2, "10.0.0.6:6600", host: "nas.local"),
        ])
        #expect(
            changes == [
                .found(Self.server("Room (nas)", ["10.0.0.6:6600"], text: "mpd:Room\u{0}nas.local\u{0}6600")),
                .found(Self.server("Room (pi)", ["10.0.0.5:6600"], text: "mpd:Room\u{0}pi.local\u{0}6600")),
            ])
    }
}

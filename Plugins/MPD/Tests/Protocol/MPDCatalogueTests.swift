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

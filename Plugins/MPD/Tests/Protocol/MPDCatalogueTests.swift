import Foundation
import MPDProtocol
import PlaybackKit
import Testing

struct MPDCatalogueTests {
    /// The properties that a device is created from.
    struct Server: Hashable {
        let text: String
        let name: String
        let endpoints: [String]
    }

    static func sighting(_ service: String, host: String, port: UInt16, addresses: [String]) -> Sighting {
        Sighting(
            .bonjour("_mpd._tcp"), name: service, hostName: host.isEmpty ? nil : host,
            endpoints: addresses.compactMap { address in
                NWEndpoint.Port(rawValue: port).map { .hostPort(host: NWEndpoint.Host(address), port: $0) }
            })
    }

    static func room(_ process: Int, _ address: String = "10.0.0.5", host: String = "") -> Sighting {
        sighting("Room[\(process)]", host: host, port: 6600, addresses: [address])
    }

    static func server(_ name: String, _ endpoints: [String], text: String) -> Server {
        Server(text: text, name: name, endpoints: endpoints)
    }

    /// The servers that the announcements amount to.
    static func servers(_ catalogue: inout MPDCatalogue, _ sightings: [Sighting]) -> Set<Server> {
        let identities = catalogue.identities(of: sightings)
        let groups = Dictionary(grouping: sightings.filter { identities[$0] != nil }) { identities[$0] ?? "" }
        return Set(
            groups.map { text, sightings in
                let endpoints = Set(sightings.flatMap(\.endpoints).map(\.debugDescription))
                return Server(text: text, name: catalogue.names[text] ?? "", endpoints: endpoints.sorted())
            })
    }

    static let roomText = "mpd:Room\u{0}\u{0}6600"

    @Test func isTheSameServerAtAnotherAddress() {
        var catalogue = MPDCatalogue()
        let first = Self.server("Room", ["10.0.0.5:6600"], text: Self.roomText)
        let moved = Self.server("Room", ["10.0.0.9:6600"], text: Self.roomText)
        #expect(Self.servers(&catalogue, [Self.room(28)]) == [first])
        #expect(Self.servers(&catalogue, [Self.room(28, "10.0.0.9")]) == [moved])
        #expect(Self.servers(&catalogue, []) == [])
    }

    @Test func leavesOutServicesWithoutAddresses() {
        var catalogue = MPDCatalogue()
        #expect(Self.servers(&catalogue, [Self.sighting("Room[1]", host: "", port: 0, addresses: [])]) == [])
    }

    @Test func isOneServerBesideItsOldAnnouncement() {
        var catalogue = MPDCatalogue()
        let server = Self.server("Room", ["10.0.0.5:6600"], text: Self.roomText)
        for sightings in [[Self.room(28)], [Self.room(28), Self.room(99)], [Self.room(99)]] {
            #expect(Self.servers(&catalogue, sightings) == [server])
        }
    }

    @Test func keepsTwinsOfUnknownHostsApart() {
        var catalogue = MPDCatalogue()
        let before = Self.servers(&catalogue, [Self.room(99)])
        let twins = [Self.room(99), Self.room(28, "10.0.0.6")]
        let servers = Self.servers(&catalogue, twins)
        #expect(servers.contains(Self.server("Room[28]", ["10.0.0.6:6600"], text: "mpd:Room[28]\u{0}\u{0}6600")))
        #expect(servers.isSuperset(of: before) && servers.count == 2)
        #expect(Self.servers(&catalogue, twins) == servers)
    }

    static func renamed(_ name: String, host: String = "attic.local", port: UInt16 = 6600) -> Sighting {
        sighting(name, host: host, port: port, addresses: ["10.0.0.5"])
    }

    @Test func aRenamedServerIsTheSameUnderItsNewName() {
        var catalogue = MPDCatalogue()
        let text = "mpd:Attic\u{0}attic.local\u{0}6600"
        let before = Self.server("Attic", ["10.0.0.5:6600"], text: text)
        let after = Self.server("Loft", ["10.0.0.5:6600"], text: text)
        #expect(Self.servers(&catalogue, [Self.renamed("Attic[1]")]) == [before])
        // Both announcements for a while, then the new one alone.
        #expect(Self.servers(&catalogue, [Self.renamed("Attic[1]"), Self.renamed("Loft[2]")]) == [after])
        #expect(Self.servers(&catalogue, [Self.renamed("Loft[2]")]) == [after])
        // The next run, and one after another renaming.
        var next = MPDCatalogue(places: catalogue.places)
        #expect(Self.servers(&next, [Self.renamed("Loft[3]")]) == [after])
        #expect(Self.servers(&next, []) == [])
        let again = Self.server("Roof", ["10.0.0.5:6600"], text: text)
        #expect(Self.servers(&next, [Self.renamed("Roof")]) == [again])
    }

    @Test func whatMovedToTheHostOfAnotherIsNotTakenForIt() {
        var catalogue = MPDCatalogue()
        let kitchen = Self.renamed("Kitchen", host: "one.local")
        let bath = Self.renamed("Bath", host: "two.local")
        _ = Self.servers(&catalogue, [kitchen, bath])
        _ = Self.servers(&catalogue, [])
        let swapped = [Self.renamed("Bath", host: "one.local"), Self.renamed("Kitchen", host: "two.local")]
        #expect(
            Self.servers(&catalogue, swapped) == [
                Self.server("Bath", ["10.0.0.5:6600"], text: "mpd:Bath\u{0}one.local\u{0}6600"),
                Self.server("Kitchen", ["10.0.0.5:6600"], text: "mpd:Kitchen\u{0}two.local\u{0}6600"),
            ])
    }

    /// Two hosts that were both called `pi` change their numbers when the other one starts first.
    @Test(arguments: [["pi.local", "pi-2.local"], ["pi-2.local", "pi.local"], ["pi-2.local", "pi-3.local"]])
    func hostsThatMayChangeTheirNamesAreNoIdentity(_ hosts: [String]) {
        var catalogue = MPDCatalogue()
        _ = Self.servers(
            &catalogue, [Self.renamed("Kitchen", host: hosts[0]), Self.renamed("Bath", host: hosts[1])])
        _ = Self.servers(&catalogue, [])
        // The one alone, before the other is back.
        #expect(
            Self.servers(&catalogue, [Self.renamed("Bath", host: hosts[0])]) == [
                Self.server("Bath", ["10.0.0.5:6600"], text: "mpd:Bath\u{0}\(hosts[0])\u{0}6600")
            ])
    }

    @Test func aFloodOfNamesIsNotKept() throws {
        var catalogue = MPDCatalogue()
        for number in 0..<2_000 { _ = catalogue.identities(of: [Self.renamed("A", host: "h\(number).local")]) }
        let data = try JSONEncoder().encode(catalogue.places)
        #expect(data.count < 20_000)
    }

    @Test func tellsTwinsApartByTheirHosts() {
        var catalogue = MPDCatalogue()
        #expect(
            Self.servers(
                &catalogue, [Self.room(1, host: "pi.local"), Self.room(2, "10.0.0.6", host: "nas.local")]) == [
                    Self.server("Room (nas)", ["10.0.0.6:6600"], text: "mpd:Room\u{0}nas.local\u{0}6600"),
                    Self.server("Room (pi)", ["10.0.0.5:6600"], text: "mpd:Room\u{0}pi.local\u{0}6600"),
                ])
    }
}

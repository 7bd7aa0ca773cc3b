import Foundation
import HostCore
import HostInterface
import MulticastDNS
import Reachability
import SSDP
import Synchronization
import Testing

@testable import HostDiscovery

@Suite(.timeLimit(.minutes(1)))
struct UnicastSearchTests {
    /// A host with scripted answers; connections only to its open ports.
    final class OneHost: EndpointProbing {
        let open: Set<UInt16>
        let datagrams: [[UInt8]]
        init(open: Set<UInt16> = [], datagrams: [[UInt8]] = []) {
            self.open = open
            self.datagrams = datagrams
        }

        func ask(_ endpoints: [NumericEndpoint], _ question: ProbeQuestion, within limit: Duration) async -> ProbeAnswer
        {
            switch question {
            case .connection: endpoints.contains { open.contains($0.port) } ? .answered([]) : .refused
            case .datagram(_, let isAnswer):
                datagrams.first { isAnswer($0) }.map(ProbeAnswer.answered) ?? .silent
            }
        }

        func ask(_ requests: [ProbeRequest], gathering: Duration) -> AsyncStream<[ProbeReply]> { gather(requests) }
    }

    private let mpd = DeclaredKind(kind: .bonjour, type: "_mpd._tcp")
    private let cast = DeclaredKind(kind: .bonjour, type: "_googlecast._tcp")
    private let renderer = DeclaredKind(kind: .ssdp, type: "urn:schemas-upnp-org:device:MediaRenderer:1")

    private func answer(_ uuid: String, location: String) -> [UInt8] {
        Array(
            """
            HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=100\r\nLOCATION: \(location)\r\nST: \(renderer.type)\r\n\
            USN: uuid:\(uuid)::\(renderer.type)\r\n\r\n
            """.utf8)
    }

    @Test func everyRendererOfAHostIsFoundOnce() async throws {
        let one = answer("a", location: "http://10.0.0.5:49494/d.xml")
        let host = OneHost(datagrams: [one, answer("b", location: "http://10.0.0.5:49495/d.xml"), one, [1, 2, 3]])
        let found = try await UnicastSearch(prober: host).findings(at: ManualAddress("10.0.0.5"), for: [mpd, renderer])
        #expect(found.map(\.item.name) == ["a", "b"].map { "uuid:\($0)::\(renderer.type)" })
        #expect(found.map(\.item.port) == [49_494, 49_495])
        #expect(found.first?.item.location == "http://10.0.0.5:49494/d.xml")
        let second = try await UnicastSearch(prober: host).findings(
            at: ManualAddress("10.0.0.5:49495"), for: [renderer])
        #expect(second.count == 1)
    }

    @Test func whoSaysNothingIsFoundByItsUsualPort() async throws {
        let search = UnicastSearch(prober: OneHost(open: [6_600, 9_999]))
        let found = try await search.findings(at: ManualAddress("10.0.0.5"), for: [mpd, cast])
        #expect(found.map(\.type) == ["_mpd._tcp"])
        #expect(found.first?.item.addresses == ["10.0.0.5"] && found.first?.item.port == 6_600)
        let told = try await search.findings(
            at: ManualAddress("10.0.0.5:9999", protocolName: "MPD"), for: [mpd])
        #expect(told.first?.item.port == 9_999)
    }

    @Test func whatCannotBeToldIsAnErrorThatSaysWhy() async throws {
        let search = UnicastSearch(prober: OneHost(open: [9_999]))
        let unclear = await #expect(throws: HostError.self) {
            try await search.findings(at: ManualAddress("10.0.0.5:9999"), for: [mpd, cast])
        }
        #expect(unclear?.code == .invalidArgument && unclear?.message.contains("--protocol") == true)
        let nobody = await #expect(throws: HostError.self) {
            try await search.findings(at: ManualAddress("10.0.0.5"), for: [mpd, renderer])
        }
        #expect(nobody?.code == .unreachable)
        let unknown = await #expect(throws: HostError.self) {
            try await search.findings(at: ManualAddress(host: "nowhere.invalid"), for: [mpd])
        }
        #expect(unknown?.code == .unreachable && unknown?.message.contains("nowhere.invalid") == true)
    }

    @Test func recordsBecomeAnItem() throws {
        let name = try #require(DNSName(instance: "Room[7]", type: "_mpd._tcp", domain: "local"))
        let host = try #require(DNSName("hostc.local"))
        let records = [
            DNSRecord(name: name, content: .text([Array("a=b=c".utf8), Array("flag".utf8), Array("=x".utf8)])),
            DNSRecord(name: name, content: .service(host: host, port: 6_600)),
        ]
        let item = try #require(UnicastSearch.item(name, "_mpd._tcp", records, ["10.0.0.5"]))
        #expect(item.name == "Room[7]" && item.host == "hostc.local" && item.port == 6_600)
        #expect(item.txt == ["a": Data("b=c".utf8), "flag": Data()])
        #expect(UnicastSearch.item(name, "_mpd._tcp", [], ["10.0.0.5"]) == nil, "it has no port")
    }

    @Test func addressesAreReadAsPeopleWriteThem() throws {
        for (text, host, port) in [
            ("10.0.0.5", "10.0.0.5", nil), ("tv.lan:80", "tv.lan", 80), ("[fe80::1%eth0]:80", "fe80::1%eth0", 80),
            ("fd77::1", "fd77::1", nil), ("http://10.0.0.5:49494/d.xml", "10.0.0.5", 49_494),
            ("https://tv.lan/d.xml", "tv.lan", 443),
        ] as [(String, String, Int?)] {
            let address = try ManualAddress(text)
            #expect(address.host == host && address.port == port, "\(text)")
        }
        for text in ["", "a b", "tv:0", "tv:99999", "tv:x", "[::1]x", "/etc/passwd", "tv\u{1b}[2J", ":80"] {
            #expect(throws: HostError.self, "\(text)") { try ManualAddress(text) }
        }
    }
}

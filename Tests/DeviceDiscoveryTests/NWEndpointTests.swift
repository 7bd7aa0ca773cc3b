import DeviceDiscovery
import Testing

@Suite struct NWEndpointTests {
    @Test(arguments: [
        ("10.0.0.5:8060", "10.0.0.5"), ("[fe80::1%lo]:80", "fe80::1%lo"), ("[::1]:0", "::1"),
        ("host.local:1", "host.local"),
        ("host.local%lo:443", "host.local%lo"),
    ])
    func hostsAndPortsReadBack(text: String, host: String) throws {
        let endpoint = try #require(NWEndpoint(text: text))
        #expect(endpoint.debugDescription == text)
        guard case .hostPort(let found, _) = endpoint else {
            Issue.record("\(endpoint)")
            return
        }
        #expect(found == NWEndpoint.Host(host) && found.debugDescription == host)
    }

    static let endpoints: [NWEndpoint] = [
        .hostPort(host: "192.168.1.2", port: 65_535), .hostPort(host: "2001:db8::5", port: .http),
        .service(name: "Living Room", type: "_mpd._tcp", domain: "local.", interface: nil),
        .service(name: "a.b\\c._http._tcp.x", type: "_http._udp", domain: "example.org.", interface: nil),
        .service(name: "://odd/ name:80", type: "_x._tcp", domain: "local.", interface: nil),
        .service(name: "日本語 🎵", type: "_x-y._tcp", domain: "local.", interface: nil),
        .service(name: "/slash", type: "_x._tcp", domain: "local.", interface: nil),
        .unix(path: "/run/some socket"),
    ]

    @Test(arguments: endpoints) func endpointsReadBack(endpoint: NWEndpoint) {
        #expect(NWEndpoint(text: endpoint.text) == endpoint)
    }

    @Test func urlsReadBack() throws {
        let url = try #require(URL(string: "http://10.0.0.5:8060/a?b=c"))
        #expect(NWEndpoint(text: "http://10.0.0.5:8060/a?b=c") == .url(url))
    }

    @Test func servicesAreWrittenWithAllTheirDots() {
        let endpoint = NWEndpoint.service(name: "Dr. Who", type: "_mpd._tcp.", domain: "", interface: nil)
        #expect(endpoint.debugDescription == "Dr\\. Who._mpd._tcp.local.")
        let unescaped = NWEndpoint(text: "Dr. Who._mpd._tcp.local.")
        #expect(unescaped == .service(name: "Dr. Who", type: "_mpd._tcp", domain: "local.", interface: nil))
    }

    @Test(arguments: [
        "", ":", ":80", "host", "host:", "host:65536", "host:-1", "host:+1", "host:1x", "host: 80", "a:b:80", "[::1]",
        "[::1:80", "[host]:80", "[10.0.0.1]:80", "x y:80", "://", "_mpd._tcp.local.", "._mpd._tcp.local.",
        "a._mpd._tcp.", "a._mpd._tcp", "a.mpd._tcp.local.", "[fe80::1%/etc]:80", "a\u{0}b:80", "http//x",
    ])
    func garbageIsNoEndpoint(text: String) { #expect(NWEndpoint(text: text) == nil) }

    @Test func textWithoutEndIsNoEndpoint() {
        #expect(NWEndpoint(text: String(repeating: "a", count: 5_000) + ":80") == nil)
        #expect(NWEndpoint(text: String(repeating: ".", count: 4_000)) == nil)
    }

    @Test func randomTextNeverTraps() {
        let pieces = [
            "a", ".", "_tcp", "_udp", "\\", ":", "[", "]", "%", "lo", "/", "80", "fe80::1", "10.0.0.1", "\u{0}", "é",
            " ", "_",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12)).map { _ in pieces.randomElement() ?? "" }.joined()
            if let endpoint = NWEndpoint(text: text), case .service = endpoint {
                #expect(NWEndpoint(text: endpoint.text) == endpoint, "\(text)")
            }
        }
    }

    @Test func portsAreNumbers() {
        #expect(NWEndpoint.Port("8060")?.rawValue == 8_060 && NWEndpoint.Port.https == 443)
        #expect(NWEndpoint.Port("") == nil && NWEndpoint.Port("99999") == nil && NWEndpoint.Port("٣") == nil)
        #expect(NWEndpoint.Port(rawValue: 5)?.debugDescription == "5")
    }
}

@Suite struct IPAddressTests {
    @Test func version4() throws {
        let address = try #require(IPv4Address("192.168.1.20"))
        #expect(address.rawValue == Data([192, 168, 1, 20]) && address.debugDescription == "192.168.1.20")
        #expect(IPv4Address(address.rawValue) == address && IPv4Address(Data([1, 2, 3])) == nil)
        #expect(IPv4Address.loopback.isLoopback && IPv4Address.mdnsGroup.isMulticast)
        #expect(IPv4Address("169.254.3.4")?.isLinkLocal == true && !address.isLinkLocal)
        #expect(IPv4Address.broadcast.debugDescription == "255.255.255.255")
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", "::1", "01.2.3.4x", "1.2.3.4\u{0}"])
    func garbageIsNoAddress(text: String) { #expect(IPv4Address(text) == nil) }

    @Test func version6() throws {
        let address = try #require(IPv6Address("FE80:0:0::1%lo"))
        #expect(address.debugDescription == "fe80::1%lo" && address.interface?.name == "lo" && address.isLinkLocal)
        #expect(address != IPv6Address("fe80::1") && IPv6Address("fe80::1%1") == address)
        #expect(IPv6Address(address.rawValue, address.interface) == address && IPv6Address(Data(count: 4)) == nil)
        #expect(
            IPv6Address.loopback.isLoopback && IPv6Address.any.isAny && IPv6Address("fd00::1")?.isUniqueLocal == true)
        #expect(IPv6Address.linkLocalNodes.multicastScope == .linkLocal && address.multicastScope == nil)
        #expect(IPv6Address("::ffff:10.0.0.1")?.asIPv4 == IPv4Address("10.0.0.1") && address.asIPv4 == nil)
    }

    @Test(arguments: ["", "::1%", "::1%a/b", "::1%waytoolonginterfacename", "1::2::3", "[::1]", "10.0.0.1"])
    func garbageIsNoAddress6(text: String) { #expect(IPv6Address(text) == nil) }

    @Test func theLoopbackInterfaceIsKnown() throws {
        let loopback = try #require(NWInterface(name: "lo"))
        #expect(loopback.type == .loopback && loopback.index > 0 && loopback.debugDescription == "lo")
        #expect(NWInterface(name: "nothing0")?.index == 0)
        #expect(NWInterface(name: "..") == nil && NWInterface(name: "") == nil && NWInterface(name: "a/b") == nil)
    }
}

import Testing

@testable import SSDP

struct SSDPTargetTests {
    @Test(arguments: ["", "a b", "x\r\nEVIL: 1", "ümlaut", String(repeating: "x", count: 257), "tab\t"])
    func refuses(_ text: String) {
        #expect(throws: SSDPError.invalidTarget) { try SSDPTarget(text) }
    }

    private static let renderer = "urn:schemas-upnp-org:device:MediaRenderer"

    @Test(arguments: [
        ("ssdp:all", "upnp:rootdevice", true),
        ("ssdp:all", renderer + ":2", true),
        (renderer + ":1", renderer + ":1", true),
        (renderer + ":1", renderer + ":3", true),
        (renderer + ":2", renderer + ":1", false),
        (renderer + ":1", "urn:schemas-upnp-org:device:MediaServer:1", false),
        ("uuid:ABC", "uuid:abc", true),
        ("roku:ecp", "roku:ecp", true),
        ("roku:ecp", "upnp:rootdevice", false),
    ])
    func covers(_ requested: String, advertised: String, expected: Bool) throws {
        #expect(try SSDPTarget(requested).covers(SSDPTarget(advertised)) == expected)
    }

    @Test func onlyAUsableNumberIsAVersion() throws {
        #expect(try SSDPTarget("urn:x:device:Y:2").version == 2)
        #expect(try SSDPTarget("urn:x:device:Y:-2").version == 0)
        #expect(try SSDPTarget("urn:x:device:Y:99999999999999999999").version == 0)
        #expect(try SSDPTarget("uuid:1:2").version == 0)
    }
}

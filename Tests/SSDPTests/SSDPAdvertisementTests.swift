import Testing

@testable import SSDP

struct SSDPAdvertisementTests {
    private let arrival = SSDPArrival(interface: "eth0", family: .ipv4, sender: "10.0.0.5")

    private func failure(_ headers: String, from arrival: SSDPArrival? = nil) -> SSDPError? {
        do throws(SSDPError) {
            let message = try SSDPMessage(parsing: ("HTTP/1.1 200 OK\n" + headers).utf8)
            _ = try SSDPAdvertisement(message, from: arrival ?? self.arrival)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("USN: uuid:a\nLOCATION: http://10.0.0.5/", SSDPError.missingHeader("ST")),
        ("ST: x\nLOCATION: http://10.0.0.5/", .missingHeader("USN")),
        ("ST: x\nUSN: uuid:a", .missingHeader("LOCATION")),
        ("ST: a b\nUSN: uuid:a\nLOCATION: http://10.0.0.5/", .invalidTarget),
        ("ST: x\nUSN: a::x\nLOCATION: http://10.0.0.5/", .invalidHeader("USN")),
        ("ST: x\nUSN: uuid:\nLOCATION: http://10.0.0.5/", .invalidHeader("USN")),
        ("ST: x\nUSN: uuid:a\nLOCATION: http://239.1.2.3/", .invalidHeader("LOCATION")),
        ("ST: x\nUSN: uuid:a\nLOCATION: http://0.0.0.0/", .invalidHeader("LOCATION")),
        ("ST: x\nUSN: uuid:a\nLOCATION: http://127.0.0.1/", .invalidHeader("LOCATION")),
        ("ST: x\nUSN: uuid:a\nLOCATION: http://[::1]/", .invalidHeader("LOCATION")),
        ("ST: x\nUSN: uuid:a\nLOCATION: http://localhost/", .invalidHeader("LOCATION")),
    ])
    func refuses(_ headers: String, with error: SSDPError) {
        #expect(failure(headers) == error)
    }

    @Test func loopbackMayAnnounceItself() {
        let own = SSDPArrival(interface: "lo", family: .ipv4, sender: "127.0.0.1")
        #expect(failure("ST: x\nUSN: uuid:a\nLOCATION: http://127.0.0.1:80/", from: own) == nil)
    }

    @Test(
        arguments: [
            (nil, 1_800), ("", 1_800), ("no-cache", 1_800), ("max-age=100", 100), ("max-age = 100", 100),
            ("MAX-AGE=\"60\"", 60), ("no-cache=\"Ext\", max-age=60", 60), ("max-age=0", 10), ("max-age=-5", 1_800),
            ("max-age=86401", 86_400), ("max-age=99999999999999999999999999999", 86_400), ("s-maxage=5", 1_800),
            ("max-age", 1_800), ("max-age=12x", 1_800),
        ] as [(String?, Int)])
    func readsMaximumAge(_ value: String?, seconds: Int) {
        #expect(SSDPAdvertisement.age(value) == .seconds(seconds))
    }

    @Test(
        arguments: [
            ("uuid:a-b::urn:x:device:Y:1", "uuid:a-b"), ("uuid:a-b", "uuid:a-b"), ("UUID:A::upnp:rootdevice", "UUID:A"),
            ("uuid:roku:ecp:P0A", "uuid:roku:ecp:P0A"), ("urn:x", nil), ("", nil), ("uuid:a b", nil), ("::", nil),
        ] as [(String, String?)])
    func deviceNameOfUSN(_ usn: String, expected: String?) {
        #expect(SSDPAdvertisement.deviceName(usn) == expected)
    }

    @Test(arguments: [
        ("http://10.0.0.5:80/d.xml", "10.0.0.5"), ("HTTPS://tv.local", "tv.local"), ("http://[fe80::1]:80/", "fe80::1"),
        ("http://[fe80::1%25eth0]/", "fe80::1"), ("http://h?x=http://y@z/", "h"),
    ])
    func hostOfLocation(_ text: String, host: String) {
        #expect(LocationURL(text)?.host == host)
    }

    @Test(arguments: [
        "", "http://", "http:///x", "ftp://10.0.0.5/", "file:///etc/passwd", "//10.0.0.5/", "http://u@10.0.0.5/",
        "http://10.0.0.5:0/", "http://10.0.0.5:65536/", "http://10.0.0.5:x/", "http://[fe80::1", "http://[x]/",
        "http://[fe80::1]x/", "http://a b/", "http://10.0.0.5:/", "http://:80/",
        "http://h/" + String(repeating: "x", count: 2_048),
    ])
    func refusesLocation(_ text: String) {
        #expect(LocationURL(text) == nil)
    }

    @Test func linkLocalLocationGetsItsScope() {
        #expect(LocationURL("http://[fe80::1]:80/d")?.scoped(to: "eth0") == "http://[fe80::1%25eth0]:80/d")
        #expect(LocationURL("http://[fe80::1%25x]:80/d")?.scoped(to: "eth0") == "http://[fe80::1%25eth0]:80/d")
        #expect(LocationURL("http://[fd77::1]:80/d")?.scoped(to: "eth0") == "http://[fd77::1]:80/d")
        #expect(LocationURL("http://10.0.0.5/d")?.scoped(to: "eth0") == "http://10.0.0.5/d")
    }
}

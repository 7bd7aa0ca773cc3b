import CAvahi
import Testing

@testable import Avahi

struct AvahiRecordsTests {
    @Test func firstOfEqualKeysCounts() {
        let record = AvahiRecords.textRecord(
            ["txtvers=1", "Name=first", "name=second", "flag", "empty=", "=nokey", "", "a=b=c"].map { Array($0.utf8) })
        #expect(
            record == [
                "txtvers": Array("1".utf8), "Name": Array("first".utf8), "flag": [], "empty": [],
                "a": Array("b=c".utf8),
            ])
    }

    @Test func valuesAreBytes() {
        #expect(AvahiRecords.textRecord([[0x6b, 0x3d, 0x00, 0xff, 0x3d]]) == ["k": [0x00, 0xff, 0x3d]])
    }

    private func parsed(_ text: String, family: AvahiFamily, interface: String = "eth0") -> String? {
        var address = AvahiAddress()
        guard avahi_address_parse(text, AvahiProtocol(AVAHI_PROTO_UNSPEC), &address) != nil else { return "unparsable" }
        return AvahiRecords.address(address, family: family, interfaceName: interface)
    }

    @Test(arguments: [
        ("10.0.0.5", AvahiFamily.ipv4, "10.0.0.5"),
        ("169.254.3.4", .ipv4, "169.254.3.4"),
        ("fd77::1", .ipv6, "fd77::1"),
        ("fe80::1", .ipv6, "fe80::1%eth0"),
        ("febf::1", .ipv6, "febf::1%eth0"),
        ("fec0::1", .ipv6, "fec0::1"),
    ])
    func acceptsAddress(_ text: String, family: AvahiFamily, expected: String) {
        #expect(parsed(text, family: family) == expected)
    }

    @Test(arguments: [
        ("10.0.0.5", AvahiFamily.ipv6), ("fd77::1", .ipv4), ("0.0.0.0", .ipv4), ("224.0.0.251", .ipv4),
        ("255.255.255.255", .ipv4), ("127.0.0.1", .ipv4), ("::", .ipv6), ("::1", .ipv6), ("ff02::fb", .ipv6),
    ])
    func refusesAddress(_ text: String, family: AvahiFamily) {
        #expect(parsed(text, family: family) == nil)
    }

    @Test func loopbackIsGoodOnLoopback() {
        #expect(parsed("127.0.0.1", family: .ipv4, interface: "lo") == "127.0.0.1")
        #expect(parsed("::1", family: .ipv6, interface: "lo") == "::1")
    }

    @Test func goneInterfaceIsNamedByItsIndex() {
        #expect(AvahiRecords.interfaceName(2_000_000) == "2000000")
        #expect(AvahiRecords.interfaceName(-1) == "-1")
        #expect(AvahiRecords.interfaceName(1) == "lo")
    }
}

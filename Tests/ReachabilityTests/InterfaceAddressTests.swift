import Glibc
import Testing

@testable import Reachability

@Suite struct InterfaceAddressTests {
    @Test func loopbackIsAmongThem() throws {
        let entries = try InterfaceAddress.all()
        let loopback = try #require(entries.first { $0.text == "127.0.0.1" }, "this machine has no loopback")
        #expect(loopback.isLoopback && loopback.isUp && loopback.isIPv4 && !loopback.isLinkLocal)
        #expect(loopback.bytes == [127, 0, 0, 1])
        #expect(loopback.prefixLength == 8)
    }

    @Test func everyEntryIsAnAddressOrHasNone() throws {
        for entry in try InterfaceAddress.all() {
            #expect(if_nametoindex(entry.interface) > 0)
            #expect([0, 4, 16].contains(entry.bytes.count))
            #expect(entry.text.isEmpty == entry.bytes.isEmpty)
            #expect((0...entry.bytes.count * 8).contains(entry.prefixLength))
            #expect(!(entry.isIPv6 && entry.text.hasPrefix("fe80:")) || entry.isLinkLocal)
        }
    }
}

@Suite("Subnets of interfaces")
struct SubnetTests {
    @Test(
        "an address of the same subnet",
        arguments: [("10.0.0.200", true), ("10.0.1.1", false), ("fe80::1", false), ("kitchen", false), ("", false)])
    func subnet(_ address: String, _ isSame: Bool) {
        let own = InterfaceAddress(interface: "eth0", flags: 0, bytes: [10, 0, 0, 5], prefixLength: 24)
        #expect(own.isSubnet(of: address) == isSame)
    }

    @Test("an address of IPv6, a subnet that ends within a byte, and no address at all")
    func others() {
        let six = InterfaceAddress(
            interface: "eth0", flags: 0, bytes: [0xFD, 0x77] + [UInt8](repeating: 0, count: 14), prefixLength: 12)
        #expect(six.isSubnet(of: "fd70::1") && !six.isSubnet(of: "fd80::1"))
        #expect(!InterfaceAddress(interface: "eth0", flags: 0, bytes: [], prefixLength: 0).isSubnet(of: "10.0.0.1"))
    }
}

import Glibc
import Reachability
import Testing

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

import NIOCore
import Testing

@testable import PushGateway

struct PeerNameTests {
    private func name(_ address: String) throws -> String {
        PeerName.of(try SocketAddress(ipAddress: address, port: 1))
    }

    @Test func theAddressesOfAnIPv6NetworkAreOnePeer() throws {
        #expect(try name("2001:db8:0:1::1") == name("2001:db8:0:1:ffff::2"))
        #expect(try name("2001:db8:0:1::1") != name("2001:db8:0:2::1"))
    }

    @Test func anIPv4AddressIsAPeerHoweverItIsWritten() throws {
        #expect(try name("10.0.0.5") == "10.0.0.5")
        #expect(try name("::ffff:10.0.0.5") == "10.0.0.5")
        #expect(try name("10.0.0.5") != name("10.0.0.6"))
    }
}

import Testing

@testable import HostState

@Suite struct NetworkIdentityTests {
    private let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private let arpHeader = "IP address       HW type     Flags       HW address            Mask     Device\n"
    private let home = NetworkIdentity.Subnet(interface: "eth0", prefix: [192, 168, 1, 0], length: 24)
    private let bridge = NetworkIdentity.Subnet(interface: "docker0", prefix: [172, 17, 0, 0], length: 16)

    @Test func theGatewayOfTheBestDefaultRouteNamesTheNetwork() {
        let routes =
            header + "wlan0\t00000000\t0200A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
            + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
            + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
        let arp =
            arpHeader + "192.168.0.2      0x1         0x2         aa:aa:aa:aa:aa:aa     *        wlan0\n"
            + "192.168.1.1      0x1         0x2         02:42:AC:11:00:01     *        eth0\n"
        #expect(
            NetworkIdentity.identity(routes: routes, neighbours: arp, subnets: [home])
                == "gateway-02:42:ac:11:00:01")
    }

    @Test func anUnresolvedGatewayLeavesTheSubnetOfItsInterface() {
        let routes = header + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
        let arp = arpHeader + "192.168.1.1      0x1         0x0         00:00:00:00:00:00     *        eth0\n"
        let identity = NetworkIdentity.identity(routes: routes, neighbours: arp, subnets: [home, bridge])
        #expect(identity == NetworkIdentity.identity(routes: routes, neighbours: "", subnets: [home]))
        #expect(identity.hasPrefix("subnets-") && identity.count == 24)
    }

    @Test func subnetsNameANetworkWithoutGatewayWhateverTheirOrder() {
        let one = NetworkIdentity.identity(routes: header, neighbours: "", subnets: [home, bridge])
        #expect(one == NetworkIdentity.identity(routes: "", neighbours: "", subnets: [bridge, home, home]))
        #expect(one != NetworkIdentity.identity(routes: "", neighbours: "", subnets: [home]))
        // Written down: the name must be the same in every version.
        #expect(
            NetworkIdentity.identity(routes: "", neighbours: "", subnets: [home]) == "subnets-\(homeFingerprint)")
    }

    private let homeFingerprint = "6969e58f0d187e7f"

    @Test func noNetworkIsOffline() {
        #expect(NetworkIdentity.identity(routes: header, neighbours: arpHeader, subnets: []) == "offline")
        #expect(NetworkIdentity.identity(routes: "x\ny z\n\u{0}", neighbours: "a\nb", subnets: []) == "offline")
    }

    @Test func thisMachineHasSomeIdentityAndKeepsIt() {
        let identity = NetworkIdentity.current()
        #expect(identity == NetworkIdentity.current())
        #expect(["offline"].contains(identity) || identity.hasPrefix("gateway-") || identity.hasPrefix("subnets-"))
    }
}

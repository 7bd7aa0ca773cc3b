import Avahi
import Foundation
import Testing

@testable import HostDoctor

@Suite struct ReadingTests {
    @Test func ownersOfAPort() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
             1071: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   108        0 4711 2 0000 0
             1072: 0100007F:14EA 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0000 0
             1073: 00000000000000000000000000000000:14E9 00000000000000000000000000000000:0000 07 0:0 00:0 0 1000 0 4713 2 0 0
             rubbish
             1074: :14E9
            """
        #expect(
            PortOwners.sockets(table, port: 5353) == [.init(inode: 4711, user: 108), .init(inode: 4713, user: 1000)])
        #expect(PortOwners.sockets("", port: 5353).isEmpty)
    }

    @Test func defaultRoutes() {
        let ipv4 = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth1\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            eth2\t00000000\t0100000A\t0002\t0\t0\t100\t00000000\t0\t0\t0
            """
        let zeros = String(repeating: "0", count: 32)
        let ipv6 = """
            \(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003   wlan0
            \(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo
            fe80\(zeros.dropFirst(4)) 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001     eth3
            """
        #expect(RouteTable.defaultInterfaces(ipv4: ipv4, ipv6: ipv6) == ["eth0", "wlan0"])
        #expect(RouteTable.defaultInterfaces(ipv4: "", ipv6: "\n\nx y") == [])
    }

    @Test func settingsThatLimitAvahi() {
        let text = """
            [server]
            #allow-interfaces=eth0
            use-ipv4=yes
            use-ipv6 = no
            deny-interfaces=eth1, eth2
            [publish]
            disable-publishing=no
            cache-entries-max=900
            objects-per-client-max=4096
            """
        #expect(AvahiSettings(text).limits == ["use-ipv6=no", "deny-interfaces=eth1,eth2", "cache-entries-max=900"])
        #expect(AvahiSettings(text).cacheEntries == 900)
        #expect(AvahiSettings("").limits.isEmpty)
        #expect(AvahiSettings("cache-entries-max=16384").limits.isEmpty)
    }

    @Test func folders() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-doctor-\(UUID().uuidString)").path
        #expect(FolderReading.read(folder + "/a/b", for: "state").failure == nil, "the daemon can make it")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let facts = FolderReading.read(folder, for: "state")
        #expect(facts.failure == nil)
        #expect((facts.free ?? 0) > 0)
        try Data().write(to: URL(fileURLWithPath: folder + "/file"))
        #expect(FolderReading.read(folder + "/file", for: "state").failure == "isn't a folder")
        #expect(FolderReading.read("/dev/null/here", for: "state").failure != nil)
    }

    @Test func ownInterfaces() {
        let interfaces = InterfaceReading.current()
        #expect(interfaces.allSatisfy { $0.name != "lo" })
        #expect(interfaces.map(\.name) == interfaces.map(\.name).sorted())
        for address in InterfaceReading.ownAddresses(interfaces) {
            #expect(!address.contains("/") && !address.isEmpty)
        }
    }
}

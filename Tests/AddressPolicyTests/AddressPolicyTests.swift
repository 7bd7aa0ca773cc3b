import Testing

@testable import AddressPolicy

/// The forms are those that PayloadsAllTheThings collects under "Server Side Request Forgery", and the
/// IPv6 ones of RFC 4291, 6052 and 3056.
@Suite struct AddressPolicyTests {
    private let speaker = AddressPolicy(
        device: ["192.168.1.20", "fd12:3456:789a:1::20"].compactMap { NetworkAddress($0) })
    private let local = AddressPolicy(device: ["127.0.0.1"].compactMap { NetworkAddress($0) })

    static let thisMachine = [
        "127.0.0.1", "127.0.0.0", "127.127.127.127", "127.0.1.3", "127.1", "127.0.1", "2130706433", "0x7f.1",
        "0x7f000001", "0177.0.0.1", "017700000001", "localhost", "LOCALHOST", "::1", "0000::1", "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1", "0:0:0:0:0:ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::127.0.0.1",
        "2002:7f00:1::",
    ]

    static let nowhere = [
        "0", "0.0.0.0", "0.0.0.1", "::", "::ffff:0.0.0.0", "255.255.255.255", "224.0.0.1", "239.255.255.250",
        "240.0.0.1",
        "ff02::1", "ff02::c", "", " ", "%", "[::1]", "127.0.0.1:80", "o177.0.0.1", "0o177.0.0.1", "1.1.1.1 &@2.2.2.2",
        "127.0.0.1\u{0}", "①②⑦.⓪.⓪.①",
    ]

    static let elsewhere = [
        "169.254.169.254", "2852039166", "0xA9FEA9FE", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe",
        "0:0:0:0:0:ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "fd00:ec2::254", "100.100.100.200",
        "169.254.1.1", "fe80::1", "fe80::1%lo", "10.0.0.1", "192.168.0.1", "3232235521", "192.168.2.20", "8.8.8.8",
        "2001:4860:4860::8888", "fd12:3456:789a:2::20", "64:ff9b::c0a8:202",
    ]

    @Test(arguments: thisMachine + nowhere + elsewhere)
    func aDeviceOfTheNetworkCannotSendUsThere(host: String) {
        #expect(speaker.resolve(host) == nil)
    }

    @Test(arguments: [
        "192.168.1.20", "192.168.1.21", "3232235796", "0300.0250.1.20", "::ffff:192.168.1.20", "fd12:3456:789a:1::20",
        "fd12:3456:789a:1::7",
    ])
    func itMaySendUsToItselfAndItsNetwork(host: String) {
        #expect(speaker.resolve(host) != nil)
    }

    @Test func aNumberBecomesTheAddressItStandsFor() {
        #expect(speaker.resolve("3232235796") == "192.168.1.20")
        #expect(local.resolve("localhost").flatMap { NetworkAddress($0) }?.isLoopback == true)
    }

    @Test func aDeviceOfThisMachineMaySendUsToThisMachineAlone() {
        #expect(local.resolve("127.0.0.1") == "127.0.0.1")
        #expect(local.resolve("127.0.0.2") != nil && local.resolve("::1") != nil)
        for host in Self.nowhere + Self.elsewhere { #expect(local.resolve(host) == nil, "\(host)") }
    }

    @Test func aLinkLocalDeviceIsReachedAtItsOwnAddressOnly() {
        let device = AddressPolicy(device: ["fe80::5%eth0", "169.254.7.7"].compactMap { NetworkAddress($0) })
        #expect(device.resolve("fe80::5%eth0") == "fe80::5%eth0")
        #expect(device.resolve("169.254.7.7") == "169.254.7.7")
        #expect(device.resolve("fe80::6%eth0") == nil && device.resolve("169.254.169.254") == nil)
    }

    /// One of each row of IANA's registries of special-purpose addresses for IPv4 and IPv6 that is not
    /// globally reachable, and forms of them.
    static let special = [
        "0.0.0.1", "10.1.2.3", "100.64.0.1", "100.127.255.254", "127.0.0.2", "169.254.0.9", "172.16.0.1",
        "172.31.255.1", "192.0.0.8", "192.0.2.1", "192.168.77.1", "198.18.0.1", "198.19.255.1", "198.51.100.1",
        "203.0.113.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:db8::1", "2001:10::1", "2001:20::1", "2002:0a00:1::",
        "3fff::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff0e::1", "167837953", "0xa.1",
    ]

    @Test(arguments: special + thisMachine + ["169.254.169.254", "100.100.100.200", "fd00:ec2::254"])
    func wherePicturesMayComeFromTheInternetNothingElseIsOpen(host: String) {
        #expect(AddressPolicy(device: [], allowsInternet: true).resolve(host) == nil)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "192.0.1.1", "223.255.255.254",
        "2001:4860:4860::8888", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::", "134744072",
    ])
    func publicAddressesAreAllowedWhereTheInternetIs(host: String) {
        #expect(AddressPolicy(device: [], allowsInternet: true).resolve(host) != nil)
        #expect(AddressPolicy(device: []).resolve(host) == nil)
    }

    @Test func withoutAnAddressOfTheDeviceNothingIsAllowed() {
        #expect(AddressPolicy(device: []).resolve("192.168.1.20") == nil)
    }
}

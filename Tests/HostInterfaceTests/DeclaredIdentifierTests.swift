import Foundation
import HostInterface
import Testing

@Suite("What a device is known as in other protocols")
struct DeclaredIdentifierTests {
    @Test(arguments: [
        ("mac:00:11:22:33:44:AA", "mac:0011223344aa"), ("MAC:00-11-22-33-44-aa", "mac:0011223344aa"),
        ("mac:0011.2233.44aa", "mac:0011223344aa"),
        ("upnp:uuid:6D64686F-7374-4C61-8000-00000000000A", "upnp:6d64686f-7374-4c61-8000-00000000000a"),
        ("upnp:uuid:uuid:RINCON_B8E93758", "upnp:rincon_b8e93758"),
        ("upnp:RINCON_B8E93758", "upnp:rincon_b8e93758"), ("cast:0123456789abcdef", "cast:0123456789abcdef"),
        ("com-example:AB/12:34", "com-example:ab/12:34"),
    ])
    func hasOneSpelling(text: String, spelling: String) {
        #expect(DeclaredIdentifier.normalised(text) == spelling)
        #expect(DeclaredIdentifier.normalised(spelling) == spelling)
    }

    @Test(arguments: [
        "", ":", "mac", "mac:", ":0011223344aa", "mac:0011223344", "mac:00112233445566", "mac:00112233445g",
        "mac:00:00:00:00:00:00", "mac:ffffffffffff", "upnp:00000000-0000-0000-0000-000000000000", "serial:1",
        "serial:123", "ip:10.0.0.5", "IPv6:fe80::1", "host:tv.local", "name:Living-Room", "a kind:12345",
        "kind:a b c d", "kind:\u{1B}[31m", "kind:ä1234", "k_d:12345", "kind:" + String(repeating: "ab", count: 64),
    ])
    func whatIsNoneOrAnybodysIsLeftOut(text: String) {
        #expect(DeclaredIdentifier.normalised(text) == nil)
    }

    @Test func eachOnceAndOnlySoMany() {
        #expect(
            DeclaredIdentifier.normalised(["x:2222a", "nonsense", "X:2222A", "mac:0011223344aa"])
                == ["mac:0011223344aa", "x:2222a"])
        #expect(DeclaredIdentifier.normalised((0..<100).map { "x:abc\($0)" }).count == DeclaredIdentifier.limit)
    }

    @Test func descriptionsOfBeforeHaveNone() throws {
        let text = """
            {"id":"A","name":"TV","capabilities":4,"type":"tv","volumeControl":"none","canMute":false,"canGroup":false,
            "supportsSimultaneousSessions":false,"endpoints":[],"txt":{}}
            """
        let old = try JSONDecoder().decode(DeviceDescription.self, from: Data(text.utf8))
        #expect(old.deduplicationIdentifiers.isEmpty && old.capabilities == .urlPlayback)
        var new = old
        new.deduplicationIdentifiers = ["x:abcd"]
        #expect(try JSONDecoder().decode(DeviceDescription.self, from: JSONEncoder().encode(new)) == new)
    }
}

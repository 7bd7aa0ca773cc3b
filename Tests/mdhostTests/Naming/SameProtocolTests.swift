import DBus
import Testing

@testable import HostClient
@testable import mdhost

@Suite("Entries of one protocol")
struct SameProtocolTests {
    private func entry(_ name: String, _ protocolName: String, id: Int, parts: [String: DBusValue] = [:]) throws
        -> ClientDevice
    {
        try device(
            name, id: "00000000-0000-0000-0000-00000000000\(id)",
            with: parts.merging(["ProtocolName": .string(protocolName)]) { own, _ in own })
    }

    @Test("are named, in the order in which they were given")
    func twins() throws {
        let entries = [
            try entry("TV", "DLNA", id: 1), try entry("Box", "MPD", id: 2), try entry("Attic", "MPD", id: 3),
        ]
        #expect(
            SameProtocol(entries)?.sentence
                == "Box and Attic both use MPD, so they are usually different devices.")
        #expect(SameProtocol(Array(entries.prefix(2))) == nil)
    }

    @Test("count by each of their parts, except within one device")
    func merged() throws {
        let parts = try parts(.init("TV", by: "DLNA", id: "1"), .init("Box", by: "MPD", id: "2"))
        let whole = try entry("TV", "DLNA", id: 1, parts: parts)
        #expect(SameProtocol([whole, try entry("Attic", "MPD", id: 3)])?.protocolName == "MPD")
        #expect(SameProtocol([whole, whole]) == nil)
        #expect(SameProtocol([whole, try entry("Phone", "AirPlay", id: 4)]) == nil)
    }
}

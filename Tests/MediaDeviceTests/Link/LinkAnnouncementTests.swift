import DBus
import DeviceDiscovery
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("Announcing through the host", .timeLimit(.minutes(1)))
struct LinkAnnouncementTests {
    private let request = AnnounceRequest(
        name: "iTunes_Ctrl_1", type: "_dacp._tcp", port: 3689, txt: ["Ver": Data("1".utf8)], interface: "lo")

    private func tell(_ link: LinkedExtension, _ number: UInt32, _ events: AnnounceEvent...) async throws {
        try await link.host.call(
            "AnnouncementEvents",
            [.uint32(number), .array(of: "a{sv}", try events.map { try DBusDictionaryEncoder().encode($0) })])
    }

    @Test("a service is announced, its state told in order, and taken back when nobody listens")
    func announce() async throws {
        let link = try await LinkedExtension.greeted()
        let source = link.runtime.discoverySource
        let reader = Task { [request] in
            var seen: [AnnounceEvent] = []
            for await event in source.announce(request) {
                seen.append(event)
                if seen.count == 2 { break }
            }
            return seen
        }
        let call = try await link.next()
        #expect(call.member == "Announce" && call.arguments[0] == .uint32(1))
        #expect(try call.decode(AnnounceRequest.self, at: 1) == request)
        try await tell(link, 1, .waiting("Not yet."))
        try await tell(link, 1, .published("iTunes_Ctrl_1"))
        #expect(await reader.value == [.waiting("Not yet."), .published("iTunes_Ctrl_1")])
        #expect(try await link.next() == .init(member: "CancelAnnouncement", arguments: [.uint32(1)]))
    }

    @Test("a refused one ends without being taken back, and others do not hear of it")
    func refused() async throws {
        let link = try await LinkedExtension.greeted()
        let first = link.runtime.discoverySource.announce(request)
        let second = link.runtime.discoverySource.announce(request)
        #expect(try await link.next().arguments[0] == .uint32(1))
        #expect(try await link.next().arguments[0] == .uint32(2))
        try await tell(link, 2, .failed(.notDeclared, "No."))
        try await tell(link, 1, .published("a"))
        try await tell(link, 9, .published("nobody's"))
        var ofSecond: [AnnounceEvent] = []
        for await event in second { ofSecond.append(event) }
        #expect(ofSecond == [.failed(.notDeclared, "No.")])
        var ofFirst = first.makeAsyncIterator()
        #expect(await ofFirst.next(isolation: #isolation) == .published("a"))
        link.manager.lostDevice(.sample())
        #expect(try await link.next().member == "LostDevice")
    }

    @Test("every announcement ends with the link, and a later one fails")
    func closed() async throws {
        let link = try await LinkedExtension.greeted()
        let source = link.runtime.discoverySource
        let open = source.announce(request)
        await link.host.connection.close()
        try await link.ended()
        for await _ in open { Issue.record("no event was sent") }
        var late: [AnnounceEvent.Kind] = []
        for await event in source.announce(request) { late.append(event.kind) }
        #expect(late == [.failed])
    }
}

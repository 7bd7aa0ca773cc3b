import DBus
import DeviceDiscovery
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("Browsing through the host", .timeLimit(.minutes(1)))
struct LinkDiscoverySourceTests {
    private let request = BrowseRequest(kind: .bonjour, type: "_sample._tcp", includesTXT: true)

    private func events(_ link: LinkedExtension, _ browser: UInt32, _ events: [BrowseEvent]) async throws {
        try await link.host.call(
            "BrowserEvents",
            [.uint32(browser), .array(of: "a{sv}", try events.map { try DBusDictionaryEncoder().encode($0) })])
    }

    @Test("a browse is asked for, fed in order, and cancelled when nobody listens")
    func browse() async throws {
        let link = try await LinkedExtension.greeted()
        let source = link.runtime.discoverySource
        let item = BrowseItem(
            name: "A", type: "_sample._tcp", domain: "local", interfaces: ["lo"], addresses: ["127.0.0.1"],
            host: "a.local", port: 80, txt: ["k": .init([1, 2])])
        let sent = [BrowseEvent(.ready), BrowseEvent(.found, item: item), BrowseEvent(.settled)]
        let reader = Task { [request] in
            var seen: [BrowseEvent] = []
            for await event in source.browse(request) {
                seen.append(event)
                if seen.count == sent.count { break }
            }
            return seen
        }
        let browse = try await link.next()
        #expect(browse.member == "Browse")
        #expect(browse.arguments[0] == .uint32(1))
        #expect(try browse.decode(BrowseRequest.self, at: 1) == request)
        try await events(link, 1, [sent[0]])
        try await events(link, 1, Array(sent.dropFirst()))
        #expect(await reader.value == sent)
        #expect(try await link.next() == .init(member: "CancelBrowse", arguments: [.uint32(1)]))
    }

    @Test("browsers do not get each other's events, and a failed one ends without a cancel")
    func two() async throws {
        let link = try await LinkedExtension.greeted()
        let first = link.runtime.discoverySource.browse(request)
        let second = link.runtime.discoverySource.browse(BrowseRequest(kind: .ssdp, type: "ssdp:all"))
        #expect(try await link.next().arguments[0] == .uint32(1))
        #expect(try await link.next().arguments[0] == .uint32(2))
        try await events(link, 2, [BrowseEvent(.failed, message: "No.")])
        try await events(link, 1, [BrowseEvent(.settled)])
        var ofSecond: [BrowseEvent] = []
        for await event in second { ofSecond.append(event) }
        #expect(ofSecond == [BrowseEvent(.failed, message: "No.")])
        var ofFirst = first.makeAsyncIterator()
        #expect(await ofFirst.next(isolation: #isolation) == BrowseEvent(.settled))
        link.manager.lostDevice(.sample())
        #expect(try await link.next().member == "LostDevice")
    }

    @Test("an author's NWBrowser finds a device through the host, and stops there too")
    func browserObject() async throws {
        let link = try await ExtensionLink<FrameworkExtension>.greeted()
        DiscoverySources.install(link.runtime.discoverySource)
        try await link.host.call("StartDeviceDiscovery")
        let browse = try await link.next()
        #expect(browse.member == "Browse")
        let request = try browse.decode(BrowseRequest.self, at: 1)
        #expect(request.kind == .bonjour && request.type == "_framework._tcp" && request.includesTXT)

        let item = BrowseItem(
            name: "Living room", type: "_framework._tcp", domain: "local", interfaces: ["lo"],
            addresses: ["127.0.0.1"], host: "a.local", port: 80)
        let found = BrowseEvent(.found, item: item)
        try await link.host.call(
            "BrowserEvents",
            [browse.arguments[0], .array(of: "a{sv}", [try DBusDictionaryEncoder().encode(found)])])
        let report = try await link.next()
        #expect(report.member == "FoundDevice")
        let device = try report.decode(DeviceDescription.self, at: 0)
        #expect(device.name == "Living room" && device.id == UUID(version5: "Living room").uuidString)
        #expect(device.endpoints == ["Living room._framework._tcp.local."])

        try await link.host.call("StopDeviceDiscovery")
        #expect(try await link.next() == .init(member: "CancelBrowse", arguments: [browse.arguments[0]]))
    }

    @Test("every browse ends with the link, and a later one fails")
    func closed() async throws {
        let link = try await LinkedExtension.greeted()
        let source = link.runtime.discoverySource
        let open = source.browse(request)
        await link.host.connection.close()
        try await link.ended()
        for await _ in open { Issue.record("no event was sent") }
        var late: [BrowseEvent.Kind] = []
        for await event in source.browse(request) { late.append(event.kind) }
        #expect(late == [.failed])
    }
}

import DeviceConnections
import Foundation
import NIOPosix
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
struct EventServerTests {
    private actor Inbox {
        private(set) var events: [(EventHeaders, String)] = []
        var reception = Subscription.Reception.accepted
        func receive(_ headers: EventHeaders, _ body: [UInt8]) -> Subscription.Reception {
            events.append((headers, String(decoding: body, as: UTF8.self)))
            return reception
        }
        func set(_ reception: Subscription.Reception) { self.reception = reception }
    }

    private static let headers = ["NT": "upnp:event", "NTS": "upnp:propchange", "SID": "uuid:1", "SEQ": "7"]

    /// A device that sends events to one subscription at a test's request.
    private struct Device: Sendable {
        var client: DeviceHTTPClient
        var callback: String

        /// Sends it, and checks the status it is answered with.
        func expect(
            _ status: Int, _ method: String = "NOTIFY", to suffix: String = "", _ headers: [String: String] = headers,
            size: Int = 3
        ) async throws {
            let url = try #require(URL(string: callback + suffix))
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: size)
            let answer = try await client.send(DeviceRequest(method: method, url: url, headers: headers, body: body))
            #expect(answer.status == status)
        }
    }

    /// Runs with a server that has one subscription of a device with that address.
    private func withServer(
        address: String = "127.0.0.1", _ body: @Sendable (Inbox, Device) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await EventServer.listening(on: "127.0.0.1", group: group)
        let client = DeviceHTTPClient()
        let inbox = Inbox()
        let (callback, path) = server.makeCallback()
        server.register(.init(device: address) { await inbox.receive($0, $1) }, path: path)
        try await body(inbox, Device(client: client, callback: callback))
        await server.close()
    }

    @Test func handsEventsToTheirReceiver() async throws {
        try await withServer { inbox, device in
            try await device.expect(200)
            let events = await inbox.events
            #expect(events.map(\.0) == [EventHeaders(identifier: "uuid:1", sequence: 7)])
            #expect(events.map(\.1) == ["xxx"])
            await inbox.set(.duplicate)
            try await device.expect(200)
            await inbox.set(.foreign)
            try await device.expect(412)
        }
    }

    @Test func looksAtNothingElse() async throws {
        try await withServer { inbox, device in
            try await device.expect(404, to: "x")
            try await device.expect(405, "POST")
            try await device.expect(400, "NOTIFY", ["SID": "uuid:1"])
            try await device.expect(413, size: EventServer.bodyLimit + 1)
            #expect(await inbox.events.isEmpty)
        }
        try await withServer(address: "192.0.2.1") { inbox, device in
            try await device.expect(403)
            #expect(await inbox.events.isEmpty)
        }
    }

    @Test func givesEverySubscriptionAPathOfItsOwn() async throws {
        let server = try await EventServer.listening(on: "127.0.0.1", group: MultiThreadedEventLoopGroup.singleton)
        let paths = Set((0..<50).map { _ in server.makeCallback().path })
        #expect(paths.count == 50)
        #expect(paths.allSatisfy { $0.count > 30 })
        #expect(server.makeCallback().callback.hasPrefix("http://127.0.0.1:"))
        await server.close()
    }

    @Test func tellsAnAddressThatIsNotOurs() async {
        await #expect(throws: DeviceFailure.self) {
            try await EventServer.listening(on: "192.0.2.1", group: MultiThreadedEventLoopGroup.singleton)
        }
    }

    @Test func findsTheAddressThatReachesADevice() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ScriptedServer.start(on: group) { _ in .bytes([]) }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        #expect(
            try await ConnectionAddresses.reaching(HTTPExchange.endpoint(of: url))
                == ConnectionAddresses(local: "127.0.0.1", remote: "127.0.0.1"))
        await server.close()
        // The port of a socket that doesn't listen refuses connections, and no other test gets it.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try #require(bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
            }
        }
        let closed = try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"))
        await #expect(throws: TransportFailure.self) {
            try await ConnectionAddresses.reaching(HTTPExchange.endpoint(of: closed))
        }
    }
}

import DeviceDiscovery
import Foundation
import HostInterface
import ObservedConnections
import Synchronization
import Testing

@testable import NetworkConnections

/// Services whose addresses the host's browser tells, with real servers at those addresses.
@Suite(.timeLimit(.minutes(1))) struct ServiceConnectionTests {
    /// A host that a test speaks for.
    private final class Host: DiscoverySource {
        private let feed: AsyncStream<BrowseEvent>.Continuation
        private let events: AsyncStream<BrowseEvent>
        let request = Mutex<BrowseRequest?>(nil)

        init() { (events, feed) = AsyncStream.makeStream() }

        func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
            self.request.withLock { $0 = request }
            return events
        }

        func tell(_ kind: BrowseEvent.Kind, port: NWEndpoint.Port, addresses: [String] = ["127.0.0.1"]) {
            let item = BrowseItem(
                name: "Music", type: "_mpd._tcp", domain: "local", interfaces: ["lo"], addresses: addresses,
                host: "music.local", port: Int(port.rawValue))
            feed.yield(BrowseEvent(kind, item: item))
        }

        func tell(_ kind: BrowseEvent.Kind) { feed.yield(BrowseEvent(kind, message: "no")) }
    }

    private func client(_ host: Host) -> ObservedConnection {
        let slot = DiscoverySourceSlot()
        slot.install(host)
        let endpoint = NWEndpoint.service(name: "Music", type: "_mpd._tcp", domain: "local.", interface: nil)
        return ObservedConnection(NWConnection(to: endpoint, using: .tcp, slot: slot)).start()
    }

    @Test func aServiceIsConnectedToAndFollowed() async throws {
        let host = Host()
        let first = try PeerProcess(PeerProcess.echo)
        let client = client(host)
        let (better, feed) = AsyncStream.makeStream(of: Bool.self)
        client.connection.betterPathUpdateHandler = { feed.yield($0) }
        host.tell(.ready)
        host.tell(.found, port: first.port)
        #expect(await client.settled() == .ready)
        #expect(
            host.request.withLock { $0 }
                == BrowseRequest(kind: .bonjour, type: "_mpd._tcp", domain: nil, includesTXT: true))
        #expect(await client.send("hello") == nil)
        #expect(await client.receive(5).text == "hello")
        // The service moves: this connection stays, and its owner is notified.
        let second = try PeerProcess(PeerProcess.echo)
        host.tell(.changed, port: second.port)
        var news = better.makeAsyncIterator()
        #expect(await news.next() == true)
        #expect(await client.send("still") == nil)
        #expect(await client.receive(5).text == "still")
    }

    @Test func aServerOfOneFamilyIsFoundByAddressesOfBoth() async throws {
        let host = Host()
        let server = try PeerProcess(PeerProcess.echo)
        let client = client(host)
        // It listens on IPv4 alone, whose address is known a little later.
        host.tell(.found, port: server.port, addresses: ["::1"])
        host.tell(.changed, port: server.port, addresses: ["::1", "127.0.0.1"])
        #expect(await client.settled() == .ready)
    }

    @Test func aWaitingConnectionFollowsTheService() async throws {
        let host = Host()
        let gone = try PeerProcess(PeerProcess.echo)
        await gone.stop()
        let client = client(host)
        host.tell(.found, port: gone.port)
        #expect(await client.settled() == .waiting(.posix(.ECONNREFUSED)))
        let server = try PeerProcess(PeerProcess.echo)
        host.tell(.changed, port: server.port)
        #expect(await client.settled() == .ready)
        #expect(await client.send("moved") == nil)
        #expect(await client.receive(5).text == "moved")
    }

    @Test func aServiceThatTheManifestDoesNotNameFails() async {
        let host = Host()
        let client = client(host)
        host.tell(.failed)
        guard case .failed(.dns)? = await client.settled() else {
            Issue.record("\(client.connection.state)")
            return
        }
    }
}

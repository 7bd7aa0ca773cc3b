import Foundation
import MediaDevice
import Network
import Testing
import UniformTypeIdentifiers

@testable import UnchangedImports

@MainActor
@Suite("Imports as on iOS")
struct ImportTests {
    @Test("the endpoint of Network is the endpoint of MediaDevice")
    func endpoint() throws {
        let id = "0536744D-E1AF-5A68-A682-886D0CD6223A"
        let endpoint = Network.NWEndpoint.service(name: id, type: "_myprotocol._tcp", domain: "local.", interface: nil)
        let device = try #require(MyDeviceExtension.device(at: endpoint))
        #expect(device.id.uuidString == id)
        #expect(device.networkEndpoints == [endpoint])
        #expect(MyDeviceExtension.device(at: .hostPort(host: "192.0.2.1", port: 80)) == nil)
    }

    @Test("a connection of Network talks to a listener of Network", .timeLimit(.minutes(1)))
    func connection() async throws {
        let parameters = NWParameters.tcp
        parameters.acceptLocalOnly = true
        let listener = try NWListener(using: parameters)
        let (ports, portFeed) = AsyncStream.makeStream(of: NWEndpoint.Port.self)
        listener.stateUpdateHandler = { [weak listener] state in
            if state == .ready, let port = listener?.port { portFeed.yield(port) }
        }
        let queue = DispatchQueue(label: "listener")
        listener.newConnectionHandler = { connection in
            connection.start(queue: queue)
            connection.receive(minimumIncompleteLength: 6, maximumLength: 6) { content, _, _, _ in
                connection.send(content: content, contentContext: .finalMessage, completion: .idempotent)
            }
        }
        listener.start(queue: queue)
        var portIterator = ports.makeAsyncIterator()
        let port = try #require(await portIterator.next())
        let (lines, feed) = AsyncStream.makeStream(of: String.self)
        let client = DeviceConnection(to: .hostPort(host: "127.0.0.1", port: port)) { feed.yield($0) }
        client.start { state in
            if state == .cancelled { feed.finish() }
        }
        client.send("hello")
        var lineIterator = lines.makeAsyncIterator()
        #expect(await lineIterator.next() == "hello")
        // The other side's end ends this one.
        #expect(await lineIterator.next() == nil)
        listener.cancel()
    }

    @Test("the type of UniformTypeIdentifiers is the type of MediaDevice")
    func type() {
        let type: UniformTypeIdentifiers.UTType = MyDeviceExtension().protocolType
        #expect(type.identifier == "com.example.unchangedimports")
    }
}

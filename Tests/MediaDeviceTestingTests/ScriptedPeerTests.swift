import Foundation
import MediaDeviceTesting
import Testing

/// The client is a socket of the test's own, as an extension's would be.
@Suite("A scripted peer", .timeLimit(.minutes(1)))
struct ScriptedPeerTests {
    private let peer: ScriptedPeer

    init() throws { peer = try ScriptedPeer(patience: .seconds(5)) }

    @Test("speaks with whoever connects, in order")
    func conversation() async throws {
        let client = try TCPClient(peer.port)
        let connection = try await peer.connection()
        client.send("HELLO\r\nAGAIN\nxyz")
        #expect(try await connection.receiveLine() == "HELLO")
        #expect(try await connection.receiveLine() == "AGAIN")
        try await connection.expect("xy")
        #expect(try await connection.receive(1) == Data("z".utf8))
        try connection.send("OK\n")
        #expect(client.read(3) == "OK\n")
        client.close()
        try await connection.receiveEnd()
        await #expect(throws: ScriptedPeerError.closed("a line", received: Data())) {
            try await connection.receiveLine()
        }
    }

    @Test("connections come one after the other, each with its own bytes")
    func severalConnections() async throws {
        let clients = [try TCPClient(peer.port), try TCPClient(peer.port)]
        for (client, text) in zip(clients, ["one\n", "two\n"]) { client.send(text) }
        for text in ["one", "two"] { #expect(try await peer.connection().receiveLine() == text) }
        for client in clients { client.close() }
    }

    @Test("bytes are as long as they come: half a line is waited for")
    func pieces() async throws {
        let client = try TCPClient(peer.port)
        let connection = try await peer.connection()
        client.send("PLAY ")
        async let line = connection.receiveLine()
        client.send("song\n")
        #expect(try await line == "PLAY song")
        client.close()
    }

    @Test("other bytes are told, with what was expected")
    func otherBytes() async throws {
        let client = try TCPClient(peer.port)
        client.send("STOP\n")
        let connection = try await peer.connection()
        let error = ScriptedPeerError.unexpected(Data("STOP\n".utf8), expected: Data("PLAY\n".utf8))
        await #expect(throws: error) { try await connection.expect("PLAY\n") }
        #expect("\(error)" == #""STOP\n" came instead of "PLAY\n""#)
        client.close()
    }

    @Test("what does not come is said, with what was not read")
    func inVain() async throws {
        let hasty = try ScriptedPeer(patience: .milliseconds(50))
        await #expect(throws: ScriptedPeerError.waitedInVain("a connection", received: Data())) {
            try await hasty.connection()
        }
        let client = try TCPClient(hasty.port)
        // The time it may take counts from the wait on.
        let connection = try await withRetries { try await hasty.connection() }
        client.send("half")
        let error = await #expect(throws: ScriptedPeerError.self) {
            while true { _ = try await connection.receiveLine() }
        }
        guard case .waitedInVain("a line", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        client.close()
    }

    @Test("closing is an end, and a reset an error at the other side")
    func ends() async throws {
        let first = try TCPClient(peer.port)
        try await peer.connection().close()
        #expect(first.read(1) == "")
        let second = try TCPClient(peer.port)
        try await peer.connection().reset()
        #expect(second.read(1) == nil)
        first.close()
        second.close()
    }

    @Test("one that is switched off refuses, and is back at the same port")
    func offAndOn() async throws {
        peer.close()
        try await withRetries { if (try? TCPClient(peer.port)) != nil { throw StillThere() } }
        let again = try await withRetries { try ScriptedPeer(port: peer.port, patience: .seconds(5)) }
        #expect(again.port == peer.port && "\(again.endpoint)" == "127.0.0.1:\(peer.port)")
        let client = try TCPClient(again.port)
        client.send("back\n")
        #expect(try await again.connection().receiveLine() == "back")
        client.close()
    }

    private struct StillThere: Error {}

    /// The descriptor is closed in another thread, soon.
    private func withRetries<Value>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do { return try await body() } catch { await Task.yield() }
            try Task.checkCancellation()
        }
    }
}

/// A blocking client.
private struct TCPClient {
    private struct Refused: Error {}

    private let descriptor: Int32

    init(_ port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            Glibc.close(descriptor)
            throw Refused()
        }
    }

    func send(_ text: String) {
        let bytes = [UInt8](text.utf8)
        #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// - Returns: Less at the end of the connection; `nil` if it broke.
    func read(_ count: Int) -> String? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, Int32(MSG_WAITALL))
        return received < 0 ? nil : String(decoding: buffer.prefix(received), as: UTF8.self)
    }

    func close() { Glibc.close(descriptor) }
}

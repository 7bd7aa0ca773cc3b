import Foundation
import HostInterface
import Logging
import NIOCore
import Testing

@testable import PushGateway

@Suite(.timeLimit(.minutes(1))) struct GatewayServerTests {
    private struct NoDelivery: PushDelivery {
        func deliver(_ push: PushRequest) async throws -> PushOutcome { .accepted }
        func close() async {}
    }

    /// A connection that never says anything.
    private final class SilentConnection {
        private let descriptor: Int32

        init(port: Int, from source: String = "127.0.0.1") throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, source, &own.sin_addr)
            _ = withUnsafePointer(to: &own) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        var isOpen: Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
        }
    }

    private static func with(_ body: (GatewayServer) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "/mdhost-gateway-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await GatewayServer(
            Gateway(delivery: NoDelivery(), keys: { () throws(HostError) in [] }, logger: logger),
            address: "127.0.0.1", port: 0,
            tls: try GatewayTLS(
                make: { now throws(HostError) in
                    try GatewayCertificates(folder: folder).serverConfiguration(names: ["localhost"], now: now)
                }, logger: logger),
            // Nothing but a limit closes a connection, however long the machine takes.
            times: ConnectionDeadline.Times(handshake: .minutes(10)), logger: logger)
        try await body(server)
        await server.close()
    }

    /// Waits until no more than so many are open, and expects exactly so many.
    private func untilOpen(_ count: Int, of connections: [SilentConnection]) async {
        let deadline = ContinuousClock.now + .seconds(45)
        while connections.count(where: { $0.isOpen }) > count, ContinuousClock.now < deadline { await Task.yield() }
        #expect(connections.count { $0.isOpen } == count)
    }

    @Test func onePeerHasABoundedNumberOfConnections() async throws {
        try await Self.with { server in
            let connections = try (0..<80).map { _ in try SilentConnection(port: server.port) }
            // The kernel's order decides which of them are refused.
            await untilOpen(64, of: connections)
        }
    }

    /// Many senders together lock no other out: the oldest unauthenticated connection is closed.
    @Test func theOldestThatProvedNothingMakesRoom() async throws {
        try await Self.with { server in
            let connections = try (0..<600).map { try SilentConnection(port: server.port, from: "127.0.1.\($0 % 12)") }
            await untilOpen(512, of: connections)
            // Two event loops enter connections side by side, so their order isn't exactly the kernel's.
            #expect(connections.suffix(400).count { $0.isOpen } == 400)
        }
    }

    /// Hosts that open many connections each don't end the only one of another.
    @Test func theOnlyConnectionOfAPeerStays() async throws {
        try await Self.with { server in
            let honest = try SilentConnection(port: server.port, from: "127.0.2.1")
            let connections = try (0..<1_200).map {
                try SilentConnection(port: server.port, from: "127.0.1.\($0 / 50)")
            }
            await untilOpen(511, of: connections)
            #expect(honest.isOpen)
        }
    }
}

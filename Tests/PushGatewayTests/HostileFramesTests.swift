import Foundation
import HostInterface
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import PushGateway

/// Connections that use the freedoms of HTTP/2 against the gateway (CVE-2023-44487, CVE-2024-27316 and their kin).
@Suite(.timeLimit(.minutes(1))) struct HostileFramesTests {
    private struct NoDelivery: PushDelivery {
        func deliver(_ push: PushRequest) async throws -> PushOutcome { .accepted }
        func close() async {}
    }

    enum Attack: String, CaseIterable {
        case rapidResets, endlessHeaders, largeHeaders, pingsWithoutReading, settingsWithoutReading, garbage
        case dataWithoutStream, hugeFrame
    }

    /// Counts what comes, and says when it is over; reads only if it is told to.
    private final class Peer: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let bytes = Mutex<[UInt8]>([])
        private let closed = Atomic(false)

        var isClosed: Bool { closed.load(ordering: .relaxed) }
        var received: [UInt8] { bytes.withLock { $0 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            bytes.withLock { $0 += buffer.readableBytesView.prefix(max(0, 4096 - $0.count)) }
        }
        func channelInactive(context: ChannelHandlerContext) { closed.store(true, ordering: .relaxed) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private static func with(_ body: (Int) async throws -> Void) async throws {
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
                }, logger: logger), logger: logger)
        try await body(server.port)
        await server.close()
    }

    private func connect(_ port: Int, reads: Bool = true, from source: String = "127.0.0.1") async throws -> (
        channel: any Channel, peer: Peer
    ) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: configuration)
        let peer = Peer()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        try NIOSSLClientHandler(context: context, serverHostname: "localhost"), peer)
                }
            }
            .bind(to: try SocketAddress(ipAddress: source, port: 0)).connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(
            ByteBuffer(bytes: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4, 0, 0, [])))
        if !reads { try await channel.setOption(.autoRead, value: false).get() }
        return (channel, peer)
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        var bytes: [UInt8] = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        bytes += (0..<4).map { UInt8(stream >> (24 - 8 * $0) & 255) }
        return bytes + payload
    }

    /// `POST https://localhost/3/device/x`
    private static let head: [UInt8] =
        [0x83, 0x87, 0x41, 9] + Array("localhost".utf8) + [0x04, 11] + Array("/3/device/x".utf8)

    private func bytes(_ attack: Attack, _ number: Int) -> [UInt8] {
        let stream = UInt32(number * 2 + 1)
        switch attack {
        case .rapidResets:
            return Self.frame(1, 0x5, stream, Self.head) + Self.frame(3, 0, stream, [0, 0, 0, 8])
        case .endlessHeaders:
            let field: [UInt8] = [0x00, 1, 120, 1, 121]
            return number == 0 ? Self.frame(1, 0, 1, Self.head) : Self.frame(9, 0, 1, field)
        case .largeHeaders:
            // One that grows in the table, then its number a thousand times.
            let field: [UInt8] = [0x40, 1, 120, 0x7f, 0x81, 0x1e] + Array(repeating: 121, count: 4_000)
            let repeated = Array(repeating: UInt8(0xbe), count: 1_000)
            return Self.frame(1, 0x5, stream, Self.head + field + repeated)
        case .pingsWithoutReading: return Self.frame(6, 0, 0, Array(repeating: 0, count: 8))
        case .settingsWithoutReading: return Self.frame(4, 0, 0, [0, 4, 0, 0, 255, 255])
        case .garbage: return (0..<64).map { _ in UInt8.random(in: 0...255) }
        case .dataWithoutStream: return Self.frame(0, 0, stream, [1, 2, 3])
        case .hugeFrame: return Self.frame(0, 0, 1, []).replacingFirst([0xff, 0xff, 0xff])
        }
    }

    /// The gateway ends such a connection, and answers another one all the while.
    @Test(arguments: Attack.allCases) func theConnectionEndsAndOthersAreAnswered(_ attack: Attack) async throws {
        try await Self.with { port in
            let hostile = try await connect(port, reads: !"\(attack)".hasSuffix("WithoutReading"))
            var sent = 0
            while !hostile.peer.isClosed, sent < 400_000, hostile.channel.isActive {
                let block = (0..<100).flatMap { bytes(attack, sent + $0) }
                do { try await hostile.channel.writeAndFlush(ByteBuffer(bytes: block)) } catch { break }
                sent += 100
            }
            #expect(!hostile.channel.isActive || hostile.peer.isClosed, "after \(sent)")
            let honest = try await connect(port)
            try await honest.channel.writeAndFlush(ByteBuffer(bytes: Self.frame(1, 0x5, 1, Self.head)))
            // A frame of headers for stream 1.
            while !Self.hasAnswer(honest.peer.received) {
                try #require(!honest.peer.isClosed)
                await Task.yield()
            }
            print("\(attack): closed after at most \(sent) frames")
            try? await honest.channel.close()
            try? await hostile.channel.close()
        }
    }

    /// 4,000 requests that never end, from twenty addresses: twice as many as there are places.
    @Test func unfinishedRequestsKeepNobodyOut() async throws {
        try await Self.with { port in
            var hostile: [any Channel] = []
            for number in 0..<40 {
                let connection = try await connect(port, from: "127.0.1.\(1 + number / 2)")
                let requests = (0..<100).flatMap { Self.frame(1, 0x4, UInt32($0 * 2 + 1), Self.head) }
                try await connection.channel.writeAndFlush(ByteBuffer(bytes: requests))
                // Behind its requests.
                try await connection.channel.writeAndFlush(
                    ByteBuffer(bytes: Self.frame(6, 0, 0, Array(repeating: 7, count: 8))))
                while !Self.has(6, on: 0, in: connection.peer.received), !connection.peer.isClosed {
                    await Task.yield()
                }
                hostile.append(connection.channel)
            }
            for _ in 0..<5 {
                let honest = try await connect(port)
                try await honest.channel.writeAndFlush(ByteBuffer(bytes: Self.frame(1, 0x5, 1, Self.head)))
                while !Self.hasAnswer(honest.peer.received) {
                    try #require(!honest.peer.isClosed && !Self.has(3, on: 1, in: honest.peer.received), "refused")
                    await Task.yield()
                }
                try? await honest.channel.close()
            }
            for channel in hostile { try? await channel.close() }
        }
    }

    private static func hasAnswer(_ bytes: [UInt8]) -> Bool { has(1, on: 1, in: bytes) }

    private static func has(_ type: UInt8, on stream: UInt8, in bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            if head[3] == type, head[8] == stream { return true }
            rest = rest.dropFirst(9 + (Int(head[0]) << 16) + (Int(head[1]) << 8) + Int(head[2]))
        }
        return false
    }
}

extension [UInt8] {
    fileprivate func replacingFirst(_ bytes: [UInt8]) -> [UInt8] { bytes + dropFirst(bytes.count) }
}

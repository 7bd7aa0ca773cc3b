import NIOCore
import NIOPosix
import PlaybackKit
import Synchronization

/// A server on loopback that follows a test's script.
final class ScriptedServer: Sendable {
    /// The server's behaviour on each connection.
    enum Script: Sendable {
        /// Sends these bytes at once and then stays silent.
        case says([UInt8])
        /// Sends these bytes and closes.
        case saysAndCloses([UInt8])
        /// Greets, then answers each line by this function; `nil` stays silent.
        case answers(@Sendable (String) -> String?)
        /// As `answers`, and says the text some time after the first `idle`.
        case answersAndLater(@Sendable (String) -> String?, String, after: TimeAmount)
        /// As `answers`, one byte at a time.
        case drips(@Sendable (String) -> String?)
    }

    /// The state shared by the channels' threads and the test.
    private final class Shared: Sendable {
        let script: Mutex<Script>
        let clients = Mutex<[any Channel]>([])
        init(_ script: Script) { self.script = Mutex(script) }
    }

    private let channel: any Channel
    private let shared: Shared
    var port: Int { channel.localAddress?.port ?? 0 }
    var endpoint: NWEndpoint { .hostPort(host: "127.0.0.1", port: NWEndpoint.Port(rawValue: UInt16(port)) ?? 1) }

    init(_ script: Script) async throws {
        let shared = Shared(script)
        self.shared = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                shared.clients.withLock { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptHandler(shared.script.withLock { $0 }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Closes every connection, and follows another script from the next one on.
    func replace(_ script: Script) async {
        shared.script.withLock { $0 = script }
        for client in shared.clients.withLock({ $0 }) { try? await client.close() }
    }

    func stop() async { try? await channel.close() }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let script: ScriptedServer.Script
    private var received = ""
    private var hasIdled = false

    init(_ script: ScriptedServer.Script) { self.script = script }

    func channelActive(context: ChannelHandlerContext) {
        switch script {
        case .says(let bytes): write(bytes, context)
        case .saysAndCloses(let bytes):
            write(bytes, context)
            context.close(promise: nil)
        case .answers, .answersAndLater: write(Array("OK MPD 0.23.5\n".utf8), context)
        case .drips: drip(Array("OK MPD 0.23.5\n".utf8), context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        while let end = received.firstIndex(of: "\n") {
            let line = String(received[..<end])
            received = String(received[received.index(after: end)...])
            switch script {
            case .answers(let answer): answer(line).map { write(Array($0.utf8), context) }
            case .drips(let answer): answer(line).map { drip(Array($0.utf8), context) }
            case .answersAndLater(let answer, let text, let delay):
                answer(line).map { write(Array($0.utf8), context) }
                guard line.hasPrefix("idle"), !hasIdled else { break }
                hasIdled = true
                let channel = context.channel
                channel.eventLoop.scheduleTask(in: delay) {
                    channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                }
            case .says, .saysAndCloses: break
            }
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func drip(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        for byte in bytes { write([byte], context) }
    }
}

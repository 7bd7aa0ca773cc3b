import NIOCore
import NIOPosix
import Synchronization

@testable import MPDExtension

/// A server on loopback that says what a test tells it to.
final class ScriptedServer: Sendable {
    /// What it does with each connection.
    enum Script: Sendable {
        /// Sends these bytes at once, then nothing more.
        case says([UInt8])
        /// Sends these bytes and closes.
        case saysAndCloses([UInt8])
        /// Greets, then answers each line by this function; `nil` stays silent.
        case answers(@Sendable (String) -> String?)
        /// Greets, and says the text after a while.
        case greetsAndLater(String, after: TimeAmount)
        /// As `answers`, one byte at a time.
        case drips(@Sendable (String) -> String?)
    }

    /// What the channels' threads and the test share.
    private final class Shared: Sendable {
        let script: Mutex<Script>
        let clients = Mutex<[any Channel]>([])
        init(_ script: Script) { self.script = Mutex(script) }
    }

    private let channel: any Channel
    private let shared: Shared
    var address: MPDAddress { MPDAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0) }

    init(_ script: Script) async throws {
        let shared = Shared(script)
        self.shared = shared
        channel = try await ServerBootstrap(group: MPDConnection.transport)
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

    init(_ script: ScriptedServer.Script) { self.script = script }

    func channelActive(context: ChannelHandlerContext) {
        switch script {
        case .says(let bytes): write(bytes, context)
        case .saysAndCloses(let bytes):
            write(bytes, context)
            context.close(promise: nil)
        case .answers: write(Array("OK MPD 0.23.5\n".utf8), context)
        case .greetsAndLater(let text, let delay):
            write(Array("OK MPD 0.23.5\n".utf8), context)
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: delay) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
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
            case .says, .saysAndCloses, .greetsAndLater: break
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

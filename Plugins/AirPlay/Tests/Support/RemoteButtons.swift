import AirPlayProtocol
import MediaDeviceTesting
import NIOCore
import NIOPosix
import Testing

@testable import AirPlayExtension

/// A receiver's buttons: asks the sender's remote control as shairport-sync does.
struct RemoteButtons: Sendable {
    var port: Int
    /// `Active-Remote`; `nil` for none.
    var token: String?
    /// This machine's address that it comes from.
    var address = "127.0.0.1"

    /// Returns the receiver's access to the sender's remote control: its token and the announced port.
    @MainActor
    static func of(_ receiver: FakeReceiver, in system: TestSystem<AirPlayExtension>) throws -> RemoteButtons {
        let headers = try #require(receiver.now().requests.last { $0.method == "SETUP" }?.headers)
        let identifier = try #require(headers["DACP-ID"])
        let service = try #require(system.network.ownServices.first { $0.name == "iTunes_Ctrl_\(identifier)" })
        return RemoteButtons(port: service.port, token: headers["Active-Remote"])
    }

    /// - Returns: The status of the answer.
    func press(_ command: String) async throws -> Int {
        let text = try await ask("GET /ctrl-int/1/\(command)")
        #expect(text.contains("Content-Length: 0\r\n"), "shairport-sync waits for a length")
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// - Parameter line: Without its version.
    func ask(_ line: String) async throws -> String {
        let remote = token.map { "Active-Remote: \($0)\r\n" } ?? ""
        let group = MultiThreadedEventLoopGroup.singleton
        let promise = group.next().makePromise(of: String.self)
        let bootstrap = try ClientBootstrap(group: group)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerReader(promise))
                }
            }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        } catch {
            promise.fail(error)
            throw error
        }
        channel.writeAndFlush(
            ByteBuffer(string: "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(remote)\r\n"), promise: nil)
        let text = try await promise.futureResult.get()
        try? await channel.close()
        return text
    }
}

private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<String>
    private var text = ""

    init(_ promise: EventLoopPromise<String>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        if text.contains("\r\n\r\n") { promise.succeed(text) }
    }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
}

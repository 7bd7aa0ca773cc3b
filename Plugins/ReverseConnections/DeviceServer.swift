import ConnectionLimits
import NIOCore
import NIOHTTP1
import NIOPosix

/// Takes what devices send by HTTP, on one address of this machine: small requests, few at a time, answered by a status alone.
package final class DeviceServer: Sendable {
    /// The beginning of a request, and who sent it.
    package struct Request: Sendable {
        package let head: HTTPRequestHead
        /// Numeric address, without zone.
        package let peer: String

        /// Whether it comes from that device, whose address is numeric and may have a zone.
        package func isFrom(_ device: String) -> Bool {
            let device = device.prefix { $0 != "%" }
            // IPv4 may arrive in IPv6's clothes.
            return peer == device || peer == "::ffff:" + device
        }
    }

    /// Who looks at requests and answers them.
    package protocol Responder: Sendable {
        /// Looks at a request before its body is taken; called on the connection's event loop.
        ///
        /// - Returns: What it is refused with; `nil` where its body is to be taken.
        func refusal(of request: Request) -> HTTPResponseStatus?
        /// Answers a request that was not refused.
        func answer(_ request: Request, _ body: [UInt8]) async -> HTTPResponseStatus
    }

    /// How much is taken.
    package struct Bounds: Sendable, Hashable {
        /// Bytes.
        package var body: Int
        /// At a time.
        package var connections: Int
        /// For each request, from the connection or the answer before it to its end.
        package var patience: TimeAmount

        package init(body: Int, connections: Int, patience: TimeAmount = .seconds(10)) {
            self.body = body
            self.connections = connections
            self.patience = patience
        }
    }

    private let channel: any Channel

    private init(channel: any Channel) { self.channel = channel }

    /// Listens on a free port of that address; the address' own port does not matter.
    ///
    /// - Throws: NIO's errors, for an address that is not one of this machine.
    package static func listening(
        at address: SocketAddress, group: any EventLoopGroup, bounds: Bounds, responder: any Responder
    ) async throws -> DeviceServer {
        var address = address
        address.port = 0
        let limit = ConnectionLimit(total: bounds.connections, perPeer: max(1, bounds.connections / 2))
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 32)
            .childChannelInitializer { channel in
                let peer = channel.remoteAddress?.ipAddress ?? ""
                guard limit.admit(peer) else { return channel.close() }
                channel.closeFuture.whenComplete { _ in limit.leave(peer) }
                return channel.eventLoop.makeCompletedFuture {
                    // Devices wait for a length also where an answer can have no body.
                    var encoding = HTTPResponseEncoder.Configuration()
                    encoding.automaticallySetFramingHeaders = false
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withEncoderConfiguration: encoding)
                    try pipeline.addHandler(DeviceRequestHandler(bounds: bounds, responder: responder))
                }
            }
            .bind(to: address).get()
        return DeviceServer(channel: channel)
    }

    package var port: Int { channel.localAddress?.port ?? 0 }
    /// Numeric.
    package var address: String { channel.localAddress?.ipAddress ?? "" }

    package func close() async { try? await channel.close() }
}

import ConnectionLimits
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// An HTTP server for devices on one address of this computer. It accepts a few small requests at a time, and answers
/// with a status only.
package final class DeviceServer: Sendable {
    /// The beginning of a request, and its sender.
    package struct Request: Sendable {
        package let head: HTTPRequestHead
        /// Numeric address, without zone.
        package let peer: String

        /// Returns a Boolean value that indicates whether the request comes from a device with this numeric address,
        /// with or without a zone.
        package func isFrom(_ device: String) -> Bool {
            let device = device.prefix { $0 != "%" }
            // IPv4 may arrive in IPv6's clothes.
            return peer == device || peer == "::ffff:" + device
        }
    }

    /// The handler of requests.
    package protocol Responder: Sendable {
        /// Checks a request before its body is read. Called on the connection's event loop.
        ///
        /// - Returns: The status of a refusal; `nil` to read the body.
        func refusal(of request: Request) -> HTTPResponseStatus?
        /// Answers a request that was not refused.
        func answer(_ request: Request, _ body: [UInt8]) async -> HTTPResponseStatus
    }

    /// The limits of a server.
    package struct Bounds: Sendable, Hashable {
        /// Bytes.
        package var body: Int
        /// The highest number of concurrent connections.
        package var connections: Int
        /// The time limit for each request, from the connection or the preceding answer to its end.
        package var patience: TimeAmount

        package init(body: Int, connections: Int, patience: TimeAmount = .seconds(10)) {
            self.body = body
            self.connections = connections
            self.patience = patience
        }
    }

    private let channel: any Channel

    private init(channel: any Channel) { self.channel = channel }

    /// Creates a server on a free port of an address. The port of the address is ignored.
    ///
    /// - Throws: NIO's errors, if the address doesn't belong to this computer.
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

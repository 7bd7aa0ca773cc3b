import ConnectionLimits
import Foundation
package import HostInterface
import HostSockets
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix

/// Listens for browsers: on loopback, or in the network as well.
package actor PageServer {
    private static let connections = 256
    private static let connectionsPerAddress = 192
    private static let idleTimeout = TimeAmount.seconds(30)

    private let responder: PageResponder
    private let logger: Logger
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let served = ServedPlace()
    private let limit = ConnectionLimit(total: connections, perPeer: connectionsPerAddress)
    private var listeners: [Task<Void, Never>] = []
    private var places: [String: Int] = [:]

    package init(
        files: @escaping @Sendable (String) -> PageFile?, hub: PageHub, link: DaemonLink, browsers: BrowserDirectory,
        helper: any PageHelper, localName: String, logger: Logger
    ) {
        let host = ProcessInfo.processInfo.hostName.lowercased()
        responder = PageResponder(
            commands: PageCommands(
                link: link, hub: hub, browsers: browsers, helper: helper, served: served, logger: logger),
            files: files,
            names: (
                loopback: ["127.0.0.1", "[::1]", "localhost", "\(localName).localhost"],
                network: [host, host.hasSuffix(".local") ? host : "\(host).local"]
            ))
        self.logger = logger
    }

    /// Listens, instead of where it listened before.
    ///
    /// - Parameter port: The port to try first; another free one is taken if it is in use.
    /// - Returns: The port.
    /// - Throws: ``HostError`` `host-unavailable`.
    package func listen(port: Int, inNetwork: Bool) async throws(HostError) -> Int {
        await stop()
        let addresses = inNetwork ? ["0.0.0.0", "::"] : ["127.0.0.1", "::1"]
        var failure: HostError?
        for candidate in [port, 0] {
            do throws(HostError) {
                let chosen = try await listen(on: addresses[0], port: candidate)
                // Without IPv6, or with its port in use, IPv4 is enough.
                _ = try? await listen(on: addresses[1], port: chosen)
                served.set(.init(port: chosen, isInNetwork: inNetwork))
                return chosen
            } catch {
                failure = error
            }
        }
        throw failure ?? HostError(.hostUnavailable, "The page can't listen.")
    }

    package func stop() async {
        for listener in listeners { listener.cancel() }
        for listener in listeners { await listener.value }
        listeners = []
    }

    private func listen(on address: String, port: Int) async throws(HostError) -> Int {
        let (outcomes, continuation) = AsyncStream<Result<Int, HostError>>.makeStream()
        let responder = responder
        let limit = limit
        let admits: @Sendable (any Channel) -> Bool = { channel in
            guard let peer = NumericAddress(channel.remoteAddress), limit.admit(peer.text) else { return false }
            channel.closeFuture.whenComplete { _ in limit.leave(peer.text) }
            return true
        }
        // The server tells of every start and every end at levels meant for a process that does nothing else.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        let server = Server(
            childChannelSetup: PageChannel(
                http: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await responder.respond(to: request, writer, channel)
                    },
                    configuration: .init(
                        additionalChannelHandlers: [AdmissionHandler(admits: admits)], idleTimeout: Self.idleTimeout,
                        httpDecoderConfiguration: .init(
                            maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)))),
            configuration: ServerConfiguration(
                address: .hostname(address, port: port), serverName: nil, backlog: 64),
            onServerRunning: { channel in continuation.yield(.success(channel.localAddress?.port ?? 0)) },
            eventLoopGroup: group, logger: quiet)
        let task = Task {
            do {
                try await server.run()
            } catch {
                continuation.yield(
                    .failure(
                        HostError(.hostUnavailable, "The page can't listen on port \(port): \(error).")))
            }
        }
        for await outcome in outcomes {
            let port = try outcome.get()
            listeners.append(task)
            return port
        }
        throw HostError(.cancelled, "Cancelled.")
    }
}

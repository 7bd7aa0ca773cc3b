import DLNAProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Takes events from devices, on one address of this machine.
///
/// Every subscription has a path nobody can guess; an event is looked at only if it comes to such a path and from the
/// device that was given it.
final class EventServer: Sendable {
    /// What takes the events of one subscription; decides how the device is answered.
    typealias Receiver = @Sendable (EventHeaders, [UInt8]) async -> Subscription.Reception

    struct Registration: Sendable {
        /// Numeric address of the device, without zone.
        var device: String
        var receive: Receiver
    }

    static let bodyLimit = 256 * 1024
    static let connectionLimit = 64
    static let patience = TimeAmount.seconds(10)

    private let channel: any Channel
    private let table: Table

    /// Shared with the connections, which must not keep the server open.
    final class Table: Sendable {
        private let registrations = Mutex<[String: Registration]>([:])
        private let connections = Mutex(0)

        subscript(path: String) -> Registration? {
            get { registrations.withLock { $0[path] } }
            set { registrations.withLock { $0[path] = newValue } }
        }

        /// `false` if there are too many already.
        func admit() -> Bool {
            connections.withLock { count in
                guard count < EventServer.connectionLimit else { return false }
                count += 1
                return true
            }
        }

        func leave() { connections.withLock { $0 -= 1 } }
    }

    private init(channel: any Channel, table: Table) {
        self.channel = channel
        self.table = table
    }

    /// Listens on a free port of that address.
    ///
    /// - Throws: ``DeviceFailure/unreachable(_:)`` if the address is not one of this machine.
    static func listening(on address: String, group: any EventLoopGroup) async throws(DeviceFailure) -> EventServer {
        let table = Table()
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 32)
                .childChannelInitializer { channel in
                    guard table.admit() else { return channel.close() }
                    channel.closeFuture.whenComplete { _ in table.leave() }
                    return channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
                        try pipeline.addHandler(IdleStateHandler(readTimeout: patience))
                        try pipeline.addHandler(EventRequestHandler(table: table))
                    }
                }
                .bind(host: address, port: 0).get()
            return EventServer(channel: channel, table: table)
        } catch {
            throw .unreachable("no events at \(address): \(error)")
        }
    }

    /// An address to give to a device, and its path for ``register(_:path:)``.
    func makeCallback() -> (callback: String, path: String) {
        let path = "/" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let address = channel.localAddress?.ipAddress ?? ""
        let host = address.contains(":") ? "[\(address)]" : address
        return ("http://\(host):\(channel.localAddress?.port ?? 0)\(path)", path)
    }

    func register(_ registration: Registration, path: String) { table[path] = registration }

    func remove(path: String) { table[path] = nil }

    func close() async { try? await channel.close() }
}

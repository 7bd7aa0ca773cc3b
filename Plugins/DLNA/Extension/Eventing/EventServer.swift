import DLNAProtocol
import NIOCore
import NIOHTTP1
import ReverseConnections
import Synchronization

/// A server for devices' events on one address of this computer.
///
/// Every subscription has a secret path. The server accepts an event only at such a path, and only from its device.
final class EventServer: Sendable {
    /// A function that processes the events of one subscription, and decides the answer to the device.
    typealias Receiver = @Sendable (EventHeaders, [UInt8]) async -> Subscription.Reception

    struct Registration: Sendable {
        /// Numeric address of the device, without zone.
        var device: String
        var receive: Receiver
    }

    static let bodyLimit = 256 * 1024
    static let connectionLimit = 64

    private let server: DeviceServer
    private let table: Table

    /// Shared with the connections, which must not keep the server open.
    fileprivate final class Table: Sendable {
        private let registrations = Mutex<[String: Registration]>([:])

        subscript(path: String) -> Registration? {
            get { registrations.withLock { $0[path] } }
            set { registrations.withLock { $0[path] = newValue } }
        }
    }

    private init(server: DeviceServer, table: Table) {
        self.server = server
        self.table = table
    }

    /// Creates a server on a free port of an address.
    ///
    /// - Throws: ``DeviceFailure/unreachable(_:)`` if the address doesn't belong to this computer.
    static func listening(on address: String, group: any EventLoopGroup) async throws(DeviceFailure) -> EventServer {
        let table = Table()
        do {
            let server = try await DeviceServer.listening(
                at: SocketAddress(ipAddress: address, port: 0), group: group,
                bounds: DeviceServer.Bounds(body: bodyLimit, connections: connectionLimit), responder: table)
            return EventServer(server: server, table: table)
        } catch {
            throw .unreachable("no events at \(address): \(error)")
        }
    }

    /// An address to give to a device, and its path for ``register(_:path:)``.
    func makeCallback() -> (callback: String, path: String) {
        let path = "/" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let host = server.address.contains(":") ? "[\(server.address)]" : server.address
        return ("http://\(host):\(server.port)\(path)", path)
    }

    func register(_ registration: Registration, path: String) { table[path] = registration }

    func remove(path: String) { table[path] = nil }

    func close() async { await server.close() }
}

extension EventServer.Table: DeviceServer.Responder {
    func refusal(of request: DeviceServer.Request) -> HTTPResponseStatus? {
        guard let registration = self[request.head.uri] else { return .notFound }
        guard request.isFrom(registration.device) else { return .forbidden }
        guard request.head.method == .NOTIFY else { return .methodNotAllowed }
        guard (try? EventHeaders(request.head.headers)) != nil else { return .badRequest }
        return nil
    }

    func answer(_ request: DeviceServer.Request, _ body: [UInt8]) async -> HTTPResponseStatus {
        guard let registration = self[request.head.uri], let headers = try? EventHeaders(request.head.headers) else {
            return .notFound
        }
        return await registration.receive(headers, body) == .foreign ? .preconditionFailed : .ok
    }
}

extension EventHeaders {
    fileprivate init(_ headers: HTTPHeaders) throws(DLNAError) {
        try self.init(
            type: headers.first(name: "NT"), subtype: headers.first(name: "NTS"),
            identifier: headers.first(name: "SID"),
            sequence: headers.first(name: "SEQ"))
    }
}

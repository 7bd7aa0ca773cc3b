public import DeviceDiscovery
public import Dispatch
import Foundation
import NIOCore
import Synchronization

/// A listener that accepts connections over TCP, with TLS if its parameters have an identity, or UDP.
///
/// Over UDP, each peer that sends a datagram is a connection, which has the first datagrams as well; up to 1,024 at a
/// time. Cancel a connection when you are done: UDP has no sign that a peer is gone.
///
/// For TCP, an extension declares `MDHostTakesReverseConnections` or `MDHostListeningPorts` in its `Info.plist`.
/// Otherwise, or on a port that isn't declared, its listener fails with `EACCES`, before Linux 6.7 with `EPERM`. UDP
/// needs no declaration. Handlers run on the queue of ``start(queue:)``.
public final class NWListener: Sendable, CustomDebugStringConvertible {
    /// The state of a listener.
    public enum State: Hashable, Sendable {
        /// The listener isn't started.
        case setup
        /// The listener is delayed and continues by itself.
        case waiting(NWError)
        /// The listener accepts connections.
        case ready
        /// The listener has failed and doesn't retry. Create another one.
        case failed(NWError)
        /// The listener was ended by ``NWListener/cancel()``.
        case cancelled
    }

    /// A Bonjour service to announce for a listener. An extension declares the type in `MDHostAnnouncedServices`.
    public struct Service: Hashable, Sendable {
        /// The instance name; `nil` for the name of this computer.
        public var name: String?
        /// The type, such as `_http._tcp`.
        public var type: String
        /// The domain. The host announces only in `local.`, for any value.
        public var domain: String?
        /// The TXT record.
        public var txtRecordObject: NWTXTRecord?

        /// Creates a service.
        public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: NWTXTRecord = NWTXTRecord()) {
            (self.name, self.type, self.domain, txtRecordObject) = (name, type, domain, txtRecord)
        }
    }

    /// A change of the announced service.
    public enum ServiceRegistrationChange: Hashable, Sendable {
        /// The service is announced, under the name of the endpoint.
        case add(NWEndpoint)
        /// The service is no longer announced.
        case remove(NWEndpoint)
    }

    /// The value of ``newConnectionLimit`` that means no limit.
    public static let InfiniteConnectionLimit = Int.max

    /// The parameters that were passed to the initializer.
    public let parameters: NWParameters

    private struct Shared {
        var state = State.setup
        var queue: DispatchQueue?
        var port: NWEndpoint.Port?
        var service: Service?
        var limit = NWListener.InfiniteConnectionLimit
        var stateHandler: (@Sendable (State) -> Void)?
        var connectionHandler: (@Sendable (NWConnection) -> Void)?
        var serviceHandler: (@Sendable (ServiceRegistrationChange) -> Void)?
        var channel: (any Channel)?
        var announcement: BonjourAnnouncement?
        var registered: NWEndpoint?

        var mayAccept: Bool {
            (state == .ready || state == .setup) && limit > 0 && queue != nil && connectionHandler != nil
        }
    }

    private let shared: Mutex<Shared>

    /// Creates a listener. It is idle until ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - parameters: TCP, TLS with a local identity, or UDP.
    ///   - port: The port to listen on; with `.any` the system chooses one.
    /// - Throws: ``NWError``: `EPROTONOSUPPORT` for WebSocket and DTLS, `EINVAL` for TLS without an identity.
    public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
        let plan = ConnectionPlan(.hostPort(host: "::", port: port), parameters)
        if plan.webSocket != nil || plan.flaw != nil { throw NWError.posix(.EPROTONOSUPPORT) }
        if let tls = plan.tls, tls.securityProtocolOptions.values.identity == nil { throw NWError.posix(.EINVAL) }
        self.parameters = parameters
        var shared = Shared()
        shared.port = port
        if port == .any, case .hostPort(_, let port)? = parameters.requiredLocalEndpoint { shared.port = port }
        self.shared = Mutex(shared)
    }

    /// Creates a listener on a port that the system chooses, with a service to announce.
    ///
    /// - Throws: The errors of ``init(using:on:)``.
    public convenience init(service: Service?, using parameters: NWParameters) throws {
        try self.init(using: parameters)
        self.service = service
    }

    deinit { shared.withLock { $0.channel }?.close(promise: nil) }

    /// The current state.
    public var state: State { shared.withLock { $0.state } }
    /// The port; with `.any` the one that the system chose, once the listener is ready.
    public var port: NWEndpoint.Port? { shared.withLock { $0.port } }
    /// The queue of the handlers; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { shared.withLock { $0.queue } }

    /// The number of further connections to accept, which each connection decrements. At 0 the listener refuses
    /// connections until it is set again.
    public var newConnectionLimit: Int {
        get { shared.withLock { $0.limit } }
        set { shared.withLock { $0.limit = newValue } }
    }
    /// The service to announce. Set it before ``start(queue:)``.
    public var service: Service? {
        get { shared.withLock { $0.service } }
        set { shared.withLock { $0.service = newValue } }
    }
    /// A handler that receives every new state.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { shared.withLock { $0.stateHandler } }
        set { shared.withLock { $0.stateHandler = newValue } }
    }
    /// A handler that receives every new connection. Start the connection to use it.
    public var newConnectionHandler: (@Sendable (NWConnection) -> Void)? {
        get { shared.withLock { $0.connectionHandler } }
        set { shared.withLock { $0.connectionHandler = newValue } }
    }
    /// A handler that learns when the service is announced, under which name, and when it no longer is.
    public var serviceRegistrationUpdateHandler: (@Sendable (ServiceRegistrationChange) -> Void)? {
        get { shared.withLock { $0.serviceHandler } }
        set { shared.withLock { $0.serviceHandler = newValue } }
    }

    /// Starts to listen. Only the first call has an effect.
    ///
    /// - Parameter queue: The serial queue for the handlers.
    public func start(queue: DispatchQueue) {
        let isFirst = shared.withLock { shared in
            guard shared.queue == nil, shared.state == .setup else { return false }
            shared.queue = queue
            return true
        }
        guard isFirst else { return }
        let socket = ListeningSocket(
            parameters: parameters, port: port ?? .any, mayAccept: { [weak self] in self?.mayAccept ?? false },
            accept: { [weak self] in self?.accept($0) ?? false })
        socket.open().whenComplete { [weak self] result in
            switch result {
            case .success(let channel): self?.isListening(channel)
            case .failure(let error): self?.move(to: .failed(NWError(error)))
            }
        }
    }

    /// Stops listening. Accepted connections stay open. The port is free when `.cancelled` is reported; over UDP, once
    /// its connections are closed as well.
    public func cancel() {
        let (channel, announcement, registered) = shared.withLock { shared in
            defer { (shared.channel, shared.announcement, shared.registered) = (nil, nil, nil) }
            return (shared.channel, shared.announcement, shared.registered)
        }
        announcement?.cancel()
        if let registered { tell(.remove(registered)) }
        guard let channel else { return move(to: .cancelled) }
        // The port is free again when this is reported.
        channel.close().whenComplete { _ in self.move(to: .cancelled) }
    }

    /// The port and the state.
    public var debugDescription: String { "NWListener(\(port?.rawValue ?? 0), \(state))" }

    // MARK: Parts

    private func isListening(_ channel: any Channel) {
        let isWanted = shared.withLock { shared in
            guard shared.state == .setup else { return false }
            shared.channel = channel
            if let port = channel.localAddress?.port { shared.port = NWEndpoint.Port(UInt16(clamping: port)) }
            return true
        }
        guard isWanted else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [weak self] _ in
            guard let self, shared.withLock({ $0.channel != nil }) else { return }
            move(to: .failed(.posix(.ECONNABORTED)))
        }
        move(to: .ready)
        announce()
    }

    private var mayAccept: Bool { shared.withLock { $0.mayAccept } }

    /// Accepts a connection and passes it to the handler.
    ///
    /// - Returns: `false` if the connection was refused.
    private func accept(_ channel: any Channel) -> Bool {
        guard let remote = channel.remoteAddress?.endpoint else { return false }
        let taken = shared.withLock { shared -> (DispatchQueue, @Sendable (NWConnection) -> Void)? in
            guard shared.mayAccept, let queue = shared.queue, let handler = shared.connectionHandler else { return nil }
            if shared.limit != Self.InfiniteConnectionLimit { shared.limit -= 1 }
            return (queue, handler)
        }
        guard let (queue, handler) = taken else { return false }
        let connection = NWConnection(accepted: channel, from: remote, using: parameters)
        queue.async { handler(connection) }
        return true
    }

    private func announce() {
        guard let service, let port, let queue else { return }
        let name = service.name ?? ProcessInfo.processInfo.hostName
        let announcement = BonjourAnnouncement(
            name: name, type: service.type, port: port, txtRecord: service.txtRecordObject ?? NWTXTRecord(),
            using: parameters)
        announcement.stateUpdateHandler = { [weak self] state in
            switch state {
            case .published(let name): self?.registered(name, service.type)
            case .failed(let error): self?.move(to: .failed(error))
            case .setup, .waiting, .cancelled: break
            }
        }
        shared.withLock { $0.announcement = announcement }
        announcement.start(queue: queue)
    }

    private func registered(_ name: String, _ type: String) {
        let endpoint = NWEndpoint.service(name: name, type: type, domain: "local.", interface: nil)
        let old = shared.withLock { shared in
            defer { shared.registered = endpoint }
            return shared.registered
        }
        guard old != endpoint else { return }
        if let old { tell(.remove(old)) }
        tell(.add(endpoint))
    }

    private func tell(_ change: ServiceRegistrationChange) {
        shared.withLock { shared in
            shared.queue?.async { self.serviceRegistrationUpdateHandler?(change) }
        }
    }

    private func move(to state: State) {
        let dropped = shared.withLock { shared -> (any Channel)? in
            switch shared.state {
            case .cancelled: return nil
            case .failed where state != .cancelled: return nil
            default: break
            }
            shared.state = state
            shared.queue?.async { self.deliver(state) }
            guard case .failed = state else { return nil }
            defer { shared.channel = nil }
            return shared.channel
        }
        dropped?.close(promise: nil)
    }

    private func deliver(_ state: State) {
        let handler = shared.withLock { shared in
            // Handlers often hold their listener; an ended one lets go of them.
            defer {
                if state == .cancelled {
                    (shared.stateHandler, shared.connectionHandler, shared.serviceHandler) = (nil, nil, nil)
                }
            }
            return shared.stateHandler
        }
        handler?(state)
    }
}

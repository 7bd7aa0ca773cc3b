import DeviceDiscovery
import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// A connection to an endpoint, over TCP, UDP, TLS or WebSocket.
///
/// All handlers and completions run on the queue given to ``start(queue:)``, one at a time and in order; use a serial queue. A
/// connection that waits tries again when the machine's network changes, when the service it is for moves, and on ``restart()``.
/// Nothing is told after `.cancelled`. A connection that nobody holds any more is cancelled.
public final class NWConnection: Sendable, CustomDebugStringConvertible {
    /// The state of a connection.
    public enum State: Hashable, Sendable {
        /// Not started.
        case setup
        /// No way to the endpoint now: refused, unreachable, timed out, not found. It tries again by itself.
        case waiting(NWError)
        /// Being established.
        case preparing
        /// Content can be sent and received.
        case ready
        /// Ended for good.
        case failed(NWError)
        /// Ended by ``NWConnection/cancel()`` or ``NWConnection/forceCancel()``.
        case cancelled
    }

    /// The endpoint that was asked for.
    public let endpoint: NWEndpoint
    /// The protocols and interfaces that were asked for.
    public let parameters: NWParameters

    let face = ConnectionFace()
    let driver: ConnectionDriver

    /// Makes a connection; it does nothing before ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - endpoint: An address and port, a service, a socket's path, or a URL with a host.
    ///   - parameters: The protocols and interfaces to use.
    public convenience init(to endpoint: NWEndpoint, using parameters: NWParameters) {
        self.init(to: endpoint, using: parameters, slot: DiscoverySources.shared)
    }

    /// Makes a connection to a port of a host.
    public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        self.init(to: .hostPort(host: host, port: port), using: parameters)
    }

    package init(to endpoint: NWEndpoint, using parameters: NWParameters, slot: DiscoverySourceSlot) {
        self.endpoint = endpoint
        self.parameters = parameters
        driver = ConnectionDriver(face, ConnectionPlan(endpoint, parameters), slot: slot)
    }

    /// Takes a channel that a listener accepted.
    init(accepted channel: any Channel, from endpoint: NWEndpoint, using parameters: NWParameters) {
        self.endpoint = endpoint
        self.parameters = parameters
        driver = ConnectionDriver(face, ConnectionPlan(endpoint, parameters), accepted: channel)
    }

    deinit { driver.cancel() }

    /// The state.
    public var state: State { face.state }
    /// The queue of the handlers; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { face.queue }
    /// The path in use, with both ends' addresses once the connection is ready; `nil` before that.
    public var currentPath: NWPath? { face.path }
    /// The largest message that can be sent, in bytes: 65,507 over UDP.
    public var maximumDatagramSize: Int { driver.plan.isDatagram ? 65_507 : Int(Int32.max) }

    /// Told every new state.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { face.handlers.state }
        set { face.edit { $0.state = newValue } }
    }
    /// Told `true` when the connection is ready, `false` when its local address is gone, `true` when it is back.
    public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { face.handlers.viability }
        set { face.edit { $0.viability = newValue } }
    }
    /// Told `true` when a new connection would use another address or interface, `false` when that is over.
    public var betterPathUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { face.handlers.betterPath }
        set { face.edit { $0.betterPath = newValue } }
    }
    /// Told every new path.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { face.handlers.path }
        set { face.edit { $0.path = newValue } }
    }

    /// Starts to connect. Only the first call counts.
    public func start(queue: DispatchQueue) {
        if face.start(queue) { driver.start() }
    }

    /// Tries again at once, if the connection waits.
    public func restart() { driver.restart() }

    /// Ends the connection, after sending what was accepted before; receives end with `ECANCELED`.
    public func cancel() { driver.cancel() }

    /// Ends the connection at once; what waits to be sent is lost.
    public func forceCancel() { driver.forceCancel() }

    /// Returns facts of a protocol of a ready connection; `nil` for one that has none.
    public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
        face.metadata.first { $0.definition == definition }
    }

    /// The endpoint and the state.
    public var debugDescription: String { "NWConnection(\(endpoint), \(state))" }
}

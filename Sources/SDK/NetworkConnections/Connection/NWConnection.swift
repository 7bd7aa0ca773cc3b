public import DeviceDiscovery
public import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// A connection to an endpoint over TCP, UDP, TLS or WebSocket.
///
/// All handlers and completions run on the queue of ``start(queue:)``, one at a time and in order; use a serial queue.
/// A waiting connection retries when the network of this computer changes, when its service moves, and on
/// ``restart()``. Nothing is reported after `.cancelled`. Releasing a connection cancels it.
public final class NWConnection: Sendable, CustomDebugStringConvertible {
    /// The state of a connection.
    public enum State: Hashable, Sendable {
        /// The connection isn't started.
        case setup
        /// The endpoint can't be reached now: refused, unreachable, timed out or not found. The connection retries by
        /// itself.
        case waiting(NWError)
        /// The connection is being established.
        case preparing
        /// The connection is ready to send and receive.
        case ready
        /// The connection has failed and doesn't retry. Create another one.
        case failed(NWError)
        /// The connection was ended by ``NWConnection/cancel()`` or ``NWConnection/forceCancel()``.
        case cancelled
    }

    /// The endpoint that was passed to the initializer.
    public let endpoint: NWEndpoint
    /// The parameters that were passed to the initializer.
    public let parameters: NWParameters

    let face = ConnectionFace()
    let driver: ConnectionDriver

    /// Creates a connection. It is idle until ``start(queue:)``.
    ///
    /// - Parameters:
    ///   - endpoint: An address and port, a service, the path of a socket, or a URL with a host.
    ///   - parameters: The protocols and interfaces to use.
    public convenience init(to endpoint: NWEndpoint, using parameters: NWParameters) {
        self.init(to: endpoint, using: parameters, slot: DiscoverySources.shared)
    }

    /// Creates a connection to a port of a host. It is idle until ``start(queue:)``.
    public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        self.init(to: .hostPort(host: host, port: port), using: parameters)
    }

    package init(to endpoint: NWEndpoint, using parameters: NWParameters, slot: DiscoverySourceSlot) {
        self.endpoint = endpoint
        self.parameters = parameters
        driver = ConnectionDriver(face, ConnectionPlan(endpoint, parameters), slot: slot)
    }

    /// Creates a connection from a channel that a listener accepted.
    init(accepted channel: any Channel, from endpoint: NWEndpoint, using parameters: NWParameters) {
        self.endpoint = endpoint
        self.parameters = parameters
        driver = ConnectionDriver(face, ConnectionPlan(endpoint, parameters), accepted: channel)
    }

    deinit { driver.cancel() }

    /// The current state.
    public var state: State { face.state }
    /// The queue of the handlers; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { face.queue }
    /// The path in use, with the addresses of both ends; `nil` before the connection is ready.
    public var currentPath: NWPath? { face.path }
    /// The size of the largest message that can be sent, in bytes: 65,507 over UDP.
    public var maximumDatagramSize: Int { driver.plan.isDatagram ? 65_507 : Int(Int32.max) }

    /// A handler that receives every new state.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { face.handlers.state }
        set { face.edit { $0.state = newValue } }
    }
    /// A handler that receives `true` when the connection is ready, `false` when its local address disappears, and
    /// `true` when the address is back.
    public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { face.handlers.viability }
        set { face.edit { $0.viability = newValue } }
    }
    /// A handler that receives `true` when a new connection would use another address or interface, and `false` when it
    /// no longer would.
    public var betterPathUpdateHandler: (@Sendable (Bool) -> Void)? {
        get { face.handlers.betterPath }
        set { face.edit { $0.betterPath = newValue } }
    }
    /// A handler that receives every new path.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { face.handlers.path }
        set { face.edit { $0.path = newValue } }
    }

    /// Starts to connect. Only the first call has an effect.
    ///
    /// - Parameter queue: The serial queue for handlers and completions.
    public func start(queue: DispatchQueue) {
        if face.start(queue) { driver.start() }
    }

    /// Retries at once if the connection is waiting.
    public func restart() { driver.restart() }

    /// Ends the connection after it has sent the content accepted so far, within ten seconds. Receives fail with
    /// `ECANCELED`.
    public func cancel() { driver.cancel() }

    /// Ends the connection at once and discards unsent content.
    public func forceCancel() { driver.forceCancel() }

    /// Returns the metadata of a protocol of a ready connection; `nil` if there is none.
    public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
        face.metadata.first { $0.definition == definition }
    }

    /// The endpoint and the state.
    public var debugDescription: String { "NWConnection(\(endpoint), \(state))" }
}

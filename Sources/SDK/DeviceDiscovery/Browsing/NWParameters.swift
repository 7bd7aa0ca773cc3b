import Synchronization

/// Interfaces and protocols for browsers, connections and listeners. A browser uses the interfaces alone.
public final class NWParameters: Sendable {
    struct Values: Sendable, Hashable {
        var requiredInterface: NWInterface?
        var requiredInterfaceType = NWInterface.InterfaceType.other
        var prohibitedInterfaces: [NWInterface]?
        var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
        var includePeerToPeer = false
        var requiredLocalEndpoint: NWEndpoint?
        var allowLocalEndpointReuse = false
        var acceptLocalOnly = false

        /// Whether a service seen on an interface is wanted.
        func allows(_ interface: NWInterface) -> Bool {
            if let requiredInterface, interface.name != requiredInterface.name { return false }
            if requiredInterfaceType != .other, interface.type != requiredInterfaceType { return false }
            if prohibitedInterfaces?.contains(where: { $0.name == interface.name }) == true { return false }
            return prohibitedInterfaceTypes?.contains(interface.type) != true
        }

        /// Whether any interface could be unwanted.
        var isRestricted: Bool {
            requiredInterface != nil || requiredInterfaceType != .other || prohibitedInterfaces?.isEmpty == false
                || prohibitedInterfaceTypes?.isEmpty == false
        }
    }

    private let storage: Mutex<Values>

    /// The protocols of a connection or listener.
    public let defaultProtocolStack: ProtocolStack

    /// Makes parameters that restrict nothing, with the protocols of TCP.
    public convenience init() { self.init(tls: nil) }

    /// Makes parameters for TCP, with TLS over it where there are options for that.
    public convenience init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
        self.init(Values(), ProtocolStack(tls.map { [$0] } ?? [], tcp))
    }

    /// Makes parameters for UDP.
    ///
    /// - Parameter dtls: `nil`; a connection with TLS over UDP fails with `EPROTONOSUPPORT`.
    public convenience init(dtls: NWProtocolTLS.Options?, udp: NWProtocolUDP.Options = NWProtocolUDP.Options()) {
        self.init(Values(), ProtocolStack(dtls.map { [$0] } ?? [], udp))
    }

    private init(_ values: Values, _ stack: ProtocolStack) {
        storage = Mutex(values)
        defaultProtocolStack = stack
    }

    var values: Values { storage.withLock { $0 } }

    /// New parameters for TCP.
    public static var tcp: NWParameters { NWParameters() }
    /// New parameters for TLS over TCP.
    public static var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }
    /// New parameters for UDP.
    public static var udp: NWParameters { NWParameters(dtls: nil) }
    /// New parameters for services between applications.
    public static var applicationService: NWParameters { NWParameters() }

    /// Other parameters with the same values.
    public func copy() -> NWParameters { NWParameters(values, defaultProtocolStack.copy()) }

    /// The only interface to use; `nil` for any.
    public var requiredInterface: NWInterface? {
        get { storage.withLock { $0.requiredInterface } }
        set { storage.withLock { $0.requiredInterface = newValue } }
    }

    /// The only type of interface to use; `.other` for any.
    public var requiredInterfaceType: NWInterface.InterfaceType {
        get { storage.withLock { $0.requiredInterfaceType } }
        set { storage.withLock { $0.requiredInterfaceType = newValue } }
    }

    /// Interfaces not to use.
    public var prohibitedInterfaces: [NWInterface]? {
        get { storage.withLock { $0.prohibitedInterfaces } }
        set { storage.withLock { $0.prohibitedInterfaces = newValue } }
    }

    /// Types of interface not to use.
    public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]? {
        get { storage.withLock { $0.prohibitedInterfaceTypes } }
        set { storage.withLock { $0.prohibitedInterfaceTypes = newValue } }
    }

    /// Whether to use direct links between machines. Linux has none that a browser could use, so it changes nothing.
    public var includePeerToPeer: Bool {
        get { storage.withLock { $0.includePeerToPeer } }
        set { storage.withLock { $0.includePeerToPeer = newValue } }
    }

    /// The address and port to connect from, or to listen on; `nil` for any.
    public var requiredLocalEndpoint: NWEndpoint? {
        get { storage.withLock { $0.requiredLocalEndpoint } }
        set { storage.withLock { $0.requiredLocalEndpoint = newValue } }
    }

    /// Whether a local address and port may be used although a connection that has ended used them.
    public var allowLocalEndpointReuse: Bool {
        get { storage.withLock { $0.allowLocalEndpointReuse } }
        set { storage.withLock { $0.allowLocalEndpointReuse = newValue } }
    }

    /// Whether a listener takes connections of this machine only.
    public var acceptLocalOnly: Bool {
        get { storage.withLock { $0.acceptLocalOnly } }
        set { storage.withLock { $0.acceptLocalOnly = newValue } }
    }

    /// Whether an interface may be used.
    package func allows(_ interface: NWInterface) -> Bool { values.allows(interface) }

    /// Whether any interface may not be used.
    package var isRestricted: Bool { values.isRestricted }
}

extension NWParameters {
    /// Protocols on top of each other. Options set here count for connections that are made afterwards.
    public final class ProtocolStack: Sendable {
        private struct Layers {
            var application: [NWProtocolOptions]
            var transport: NWProtocolOptions?
        }
        private let layers: Mutex<Layers>
        /// Settings of the Internet Protocol.
        public let internetProtocol: NWProtocolOptions?

        init(
            _ application: [NWProtocolOptions], _ transport: NWProtocolOptions?,
            _ internet: NWProtocolIP.Options = .init()
        ) {
            layers = Mutex(Layers(application: application, transport: transport))
            internetProtocol = internet
        }

        func copy() -> ProtocolStack {
            ProtocolStack(
                applicationProtocols, transportProtocol,
                internetProtocol as? NWProtocolIP.Options ?? NWProtocolIP.Options())
        }

        /// Protocols over the transport, the uppermost first: TLS, WebSocket.
        public var applicationProtocols: [NWProtocolOptions] {
            get { layers.withLock { $0.application } }
            set { layers.withLock { $0.application = newValue } }
        }

        /// TCP or UDP.
        public var transportProtocol: NWProtocolOptions? {
            get { layers.withLock { $0.transport } }
            set { layers.withLock { $0.transport = newValue } }
        }
    }
}

import Synchronization

/// The interfaces and protocols for browsers, connections and listeners. A browser uses only the interfaces.
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

        /// Returns a Boolean value that indicates whether an interface may be used.
        func allows(_ interface: NWInterface) -> Bool {
            if let requiredInterface, interface.name != requiredInterface.name { return false }
            if requiredInterfaceType != .other, interface.type != requiredInterfaceType { return false }
            if prohibitedInterfaces?.contains(where: { $0.name == interface.name }) == true { return false }
            return prohibitedInterfaceTypes?.contains(interface.type) != true
        }

        /// A Boolean value that indicates whether some interfaces may be excluded.
        var isRestricted: Bool {
            requiredInterface != nil || requiredInterfaceType != .other || prohibitedInterfaces?.isEmpty == false
                || prohibitedInterfaceTypes?.isEmpty == false
        }
    }

    private let storage: Mutex<Values>

    /// The protocols of a connection or listener.
    public let defaultProtocolStack: ProtocolStack

    /// Creates parameters without restrictions, for TCP.
    public convenience init() { self.init(tls: nil) }

    /// Creates parameters for TCP, with TLS if there are options for it.
    public convenience init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
        self.init(Values(), ProtocolStack(tls.map { [$0] } ?? [], tcp))
    }

    /// Creates parameters for UDP.
    ///
    /// - Parameters:
    ///   - dtls: Pass `nil`. A connection with TLS over UDP fails with `EPROTONOSUPPORT`.
    ///   - udp: The options for UDP.
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

    /// Returns independent parameters with the same values.
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

    /// The interfaces that may not be used.
    public var prohibitedInterfaces: [NWInterface]? {
        get { storage.withLock { $0.prohibitedInterfaces } }
        set { storage.withLock { $0.prohibitedInterfaces = newValue } }
    }

    /// The types of interface that may not be used.
    public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]? {
        get { storage.withLock { $0.prohibitedInterfaceTypes } }
        set { storage.withLock { $0.prohibitedInterfaceTypes = newValue } }
    }

    /// A Boolean value that allows direct links between computers. It has no effect on Linux.
    public var includePeerToPeer: Bool {
        get { storage.withLock { $0.includePeerToPeer } }
        set { storage.withLock { $0.includePeerToPeer = newValue } }
    }

    /// The local address and port to connect from, or to listen on; `nil` for any.
    public var requiredLocalEndpoint: NWEndpoint? {
        get { storage.withLock { $0.requiredLocalEndpoint } }
        set { storage.withLock { $0.requiredLocalEndpoint = newValue } }
    }

    /// A Boolean value that allows a local address and port that an ended connection used.
    public var allowLocalEndpointReuse: Bool {
        get { storage.withLock { $0.allowLocalEndpointReuse } }
        set { storage.withLock { $0.allowLocalEndpointReuse = newValue } }
    }

    /// A Boolean value that indicates whether a listener accepts only connections from this computer.
    public var acceptLocalOnly: Bool {
        get { storage.withLock { $0.acceptLocalOnly } }
        set { storage.withLock { $0.acceptLocalOnly = newValue } }
    }

    /// Returns a Boolean value that indicates whether an interface may be used.
    package func allows(_ interface: NWInterface) -> Bool { values.allows(interface) }

    /// A Boolean value that indicates whether some interfaces may be excluded.
    package var isRestricted: Bool { values.isRestricted }
}

extension NWParameters {
    /// A stack of protocols. Changes of its options apply to later connections.
    public final class ProtocolStack: Sendable {
        private struct Layers {
            var application: [NWProtocolOptions]
            var transport: NWProtocolOptions?
        }
        private let layers: Mutex<Layers>
        /// The options of the Internet Protocol.
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

        /// The options of the protocols above the transport, the uppermost first: WebSocket, TLS.
        public var applicationProtocols: [NWProtocolOptions] {
            get { layers.withLock { $0.application } }
            set { layers.withLock { $0.application = newValue } }
        }

        /// The options of TCP or UDP.
        public var transportProtocol: NWProtocolOptions? {
            get { layers.withLock { $0.transport } }
            set { layers.withLock { $0.transport = newValue } }
        }
    }
}

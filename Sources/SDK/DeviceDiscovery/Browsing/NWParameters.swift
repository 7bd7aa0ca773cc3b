import Synchronization

/// What a browser may use. On Linux these choose interfaces; protocols matter to connections, which are not made here.
public final class NWParameters: Sendable {
    struct Values: Sendable, Hashable {
        var requiredInterface: NWInterface?
        var requiredInterfaceType = NWInterface.InterfaceType.other
        var prohibitedInterfaces: [NWInterface]?
        var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
        var includePeerToPeer = false

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

    /// Makes parameters that restrict nothing.
    public convenience init() { self.init(Values()) }

    private init(_ values: Values) { storage = Mutex(values) }

    var values: Values { storage.withLock { $0 } }

    /// New parameters for TCP.
    public static var tcp: NWParameters { NWParameters() }
    /// New parameters for TLS over TCP.
    public static var tls: NWParameters { NWParameters() }
    /// New parameters for UDP.
    public static var udp: NWParameters { NWParameters() }
    /// New parameters for services between applications.
    public static var applicationService: NWParameters { NWParameters() }

    /// Other parameters with the same values.
    public func copy() -> NWParameters { NWParameters(values) }

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
}

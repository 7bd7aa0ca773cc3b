/// A protocol of a connection's stack.
public class NWProtocol {}

/// The identity of a protocol: options and metadata belong to the definition they name.
public class NWProtocolDefinition: Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The protocol's name, such as `tcp`.
    public let name: String

    init(_ name: String) { self.name = name }

    /// The protocol's name.
    public var debugDescription: String { name }

    public static func == (left: NWProtocolDefinition, right: NWProtocolDefinition) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Settings of a protocol in a connection's stack.
///
/// - Note: `@unchecked Sendable`, as its subclasses are, because a superclass cannot be checked; everything that changes is
///   locked.
public class NWProtocolOptions: @unchecked Sendable {
    init() {}
}

/// Facts about a message, or about a protocol of a connection that is ready.
///
/// - Note: `@unchecked Sendable`, as its subclasses are, because a superclass cannot be checked; everything that changes is
///   locked.
public class NWProtocolMetadata: @unchecked Sendable {
    package let definition: NWProtocolDefinition

    init(_ definition: NWProtocolDefinition) { self.definition = definition }
}

/// The Internet Protocol.
public final class NWProtocolIP: NWProtocol {
    /// The definition of IP.
    public static let definition = NWProtocolDefinition("ip")

    /// Settings of the Internet Protocol.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        package override init() { super.init() }

        /// A version of the protocol.
        public enum Version: Hashable, Sendable { case any, v4, v6 }

        private let storage = Locked((version: Version.any, hopLimit: UInt8(0)))

        /// The only version to use; `.any` for both.
        public var version: Version {
            get { storage.read { $0.version } }
            set { storage.write { $0.version = newValue } }
        }
        /// The number of routers that packets may cross, `1...255`; 0 for the system's default.
        public var hopLimit: UInt8 {
            get { storage.read { $0.hopLimit } }
            set { storage.write { $0.hopLimit = newValue } }
        }
    }
}

/// The User Datagram Protocol: every message is one datagram.
public final class NWProtocolUDP: NWProtocol {
    /// The definition of UDP.
    public static let definition = NWProtocolDefinition("udp")

    /// Settings of UDP.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        /// Makes the default settings.
        public override init() { super.init() }
    }
}

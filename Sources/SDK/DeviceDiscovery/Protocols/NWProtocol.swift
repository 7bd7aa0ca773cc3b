/// A protocol in a connection's stack.
public class NWProtocol {}

/// The identity of a protocol. Options and metadata refer to it.
public class NWProtocolDefinition: Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The protocol's name, such as `tcp`.
    public let name: String

    init(_ name: String) { self.name = name }

    /// The protocol's name.
    public var debugDescription: String { name }

    /// Returns a Boolean value that indicates whether two definitions are the same object.
    public static func == (left: NWProtocolDefinition, right: NWProtocolDefinition) -> Bool { left === right }
    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The options of a protocol in a connection's stack.
///
/// - Note: `@unchecked Sendable`, like its subclasses, because the compiler can't check a superclass. A lock protects
///   all mutable state.
public class NWProtocolOptions: @unchecked Sendable {
    init() {}
}

/// The metadata of a message, or of a protocol of a ready connection.
///
/// - Note: `@unchecked Sendable`, like its subclasses, because the compiler can't check a superclass. A lock protects
///   all mutable state.
public class NWProtocolMetadata: @unchecked Sendable {
    package let definition: NWProtocolDefinition

    init(_ definition: NWProtocolDefinition) { self.definition = definition }
}

/// The Internet Protocol.
public final class NWProtocolIP: NWProtocol {
    /// The definition of IP.
    public static let definition = NWProtocolDefinition("ip")

    /// The options of the Internet Protocol.
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
        /// The highest number of routers that packets may cross, `1...255`; 0 for the system's default.
        public var hopLimit: UInt8 {
            get { storage.read { $0.hopLimit } }
            set { storage.write { $0.hopLimit = newValue } }
        }
    }
}

/// The User Datagram Protocol. Every message is one datagram.
public final class NWProtocolUDP: NWProtocol {
    /// The definition of UDP.
    public static let definition = NWProtocolDefinition("udp")

    /// The options of UDP.
    public final class Options: NWProtocolOptions, @unchecked Sendable {
        /// Creates the default options.
        public override init() { super.init() }
    }
}

public import Foundation

/// An endpoint of a connection: an address and port, a service, the path of a socket, or a URL.
public enum NWEndpoint: Hashable, Sendable {
    /// A host and a port.
    case hostPort(host: Host, port: Port)
    /// A Bonjour service by its instance name, type (`_http._tcp`) and domain (`local.`).
    case service(name: String, type: String, domain: String, interface: NWInterface?)
    /// A socket in the file system.
    case unix(path: String)
    /// A URL.
    case url(URL)

    /// The interface of the endpoint; `nil` for any.
    public var interface: NWInterface? {
        switch self {
        case .hostPort(let host, _): host.interface
        case .service(_, _, _, let interface): interface
        case .unix, .url: nil
        }
    }
}

extension NWEndpoint {
    /// A host name or address.
    public enum Host: Hashable, Sendable, ExpressibleByStringLiteral, CustomDebugStringConvertible {
        /// A name to resolve, optionally on one interface.
        case name(String, NWInterface?)
        /// An IPv4 address.
        case ipv4(IPv4Address)
        /// An IPv6 address.
        case ipv6(IPv6Address)

        /// Parses an IPv4 or IPv6 address, with or without a scope. Any other text is a name.
        public init(_ string: String) {
            if let address = IPv4Address(string) {
                self = .ipv4(address)
            } else if let address = IPv6Address(string) {
                self = .ipv6(address)
            } else if let percent = string.lastIndex(of: "%"), percent != string.startIndex,
                let interface = NWInterface(name: String(string[string.index(after: percent)...]))
            {
                self = .name(String(string[..<percent]), interface)
            } else {
                self = .name(string, nil)
            }
        }

        /// Parses an IPv4 or IPv6 address. Any other text is a name.
        public init(stringLiteral value: String) { self.init(value) }

        /// The interface of the host; `nil` for any.
        public var interface: NWInterface? {
            switch self {
            case .name(_, let interface): interface
            case .ipv4(let address): address.interface
            case .ipv6(let address): address.interface
            }
        }

        /// The name or address, with `%` and the interface if there is one.
        public var debugDescription: String {
            switch self {
            case .name(let name, let interface): interface.map { "\(name)%\($0.name)" } ?? name
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }

    /// A TCP or UDP port.
    public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral,
        CustomDebugStringConvertible
    {
        /// The number.
        public let rawValue: UInt16

        /// Creates a port from its number; never `nil`.
        public init?(rawValue: UInt16) { self.rawValue = rawValue }

        /// Creates a port from its number.
        public init(integerLiteral value: UInt16) { rawValue = value }

        /// Parses a decimal number, `0...65535`; `nil` for other text.
        public init?(_ service: String) {
            guard (1...5).contains(service.utf8.count), service.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = UInt16(service)
            else { return nil }
            rawValue = number
        }

        /// Creates a port from its number.
        package init(_ number: UInt16) { rawValue = number }

        /// Any port.
        public static let any: Port = 0
        /// The port of Secure Shell.
        public static let ssh: Port = 22
        /// The port of SMTP.
        public static let smtp: Port = 25
        /// The port of HTTP.
        public static let http: Port = 80
        /// The port of POP3.
        public static let pop: Port = 110
        /// The port of IMAP.
        public static let imap: Port = 143
        /// The port of HTTPS.
        public static let https: Port = 443
        /// The port of IMAP over TLS.
        public static let imaps: Port = 993
        /// The port of SOCKS proxies.
        public static let socks: Port = 1080

        /// The number.
        public var debugDescription: String { String(rawValue) }
    }
}

extension NWEndpoint: CustomStringConvertible, CustomDebugStringConvertible {
    /// The endpoint on one line: `10.0.0.5:8060`, `[fe80::1%eth0]:80`, `name._type._tcp.local.`, a path or a URL.
    public var description: String { text }

    /// The same text as ``description``.
    public var debugDescription: String { text }
}

extension NWEndpoint.Host: CustomStringConvertible {
    /// The name or address, with `%` and the interface if there is one.
    public var description: String { debugDescription }
}

extension NWEndpoint.Port: CustomStringConvertible {
    /// The number.
    public var description: String { debugDescription }
}

extension IPv4Address: CustomStringConvertible {
    /// The four decimal numbers with dots, with the interface if there is one.
    public var description: String { debugDescription }
}

extension IPv6Address: CustomStringConvertible {
    /// The shortest form of RFC 5952, with the interface if there is one.
    public var description: String { debugDescription }
}

extension NWInterface: CustomStringConvertible {
    /// The name.
    public var description: String { debugDescription }
}

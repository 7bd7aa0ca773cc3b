import Foundation

/// Something a connection can be made to: an address and port, a service by name, a socket's path, or a URL.
public enum NWEndpoint: Hashable, Sendable {
    /// A host and a port.
    case hostPort(host: Host, port: Port)
    /// A Bonjour service by its instance name, type (`_http._tcp`) and domain (`local.`).
    case service(name: String, type: String, domain: String, interface: NWInterface?)
    /// A socket in the file system.
    case unix(path: String)
    /// A URL.
    case url(URL)

    /// The interface the endpoint is bound to, if any.
    public var interface: NWInterface? {
        switch self {
        case .hostPort(let host, _): host.interface
        case .service(_, _, _, let interface): interface
        case .unix, .url: nil
        }
    }
}

extension NWEndpoint {
    /// A machine by name or address.
    public enum Host: Hashable, Sendable, ExpressibleByStringLiteral, CustomDebugStringConvertible {
        /// A name to look up, possibly on one interface only.
        case name(String, NWInterface?)
        /// An address of version 4.
        case ipv4(IPv4Address)
        /// An address of version 6.
        case ipv6(IPv6Address)

        /// Reads an address of either version, with or without a scope; anything else is a name.
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

        /// Reads an address of either version; anything else is a name.
        public init(stringLiteral value: String) { self.init(value) }

        /// The interface the host is bound to, if any.
        public var interface: NWInterface? {
            switch self {
            case .name(_, let interface): interface
            case .ipv4(let address): address.interface
            case .ipv6(let address): address.interface
            }
        }

        /// The name or address, with `%` and the interface if it is bound to one.
        public var debugDescription: String {
            switch self {
            case .name(let name, let interface): interface.map { "\(name)%\($0.name)" } ?? name
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }

    /// A port of TCP or UDP.
    public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral,
        CustomDebugStringConvertible
    {
        /// The number.
        public let rawValue: UInt16

        /// Takes a number; never `nil`.
        public init?(rawValue: UInt16) { self.rawValue = rawValue }

        /// Takes a number.
        public init(integerLiteral value: UInt16) { rawValue = value }

        /// Reads a decimal number, `0...65535`; `nil` for anything else.
        public init?(_ service: String) {
            guard (1...5).contains(service.utf8.count), service.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = UInt16(service)
            else { return nil }
            rawValue = number
        }

        /// Takes a number.
        package init(_ number: UInt16) { rawValue = number }

        /// No port in particular.
        public static let any: Port = 0
        /// Secure shell.
        public static let ssh: Port = 22
        /// Mail.
        public static let smtp: Port = 25
        /// The web.
        public static let http: Port = 80
        /// Mailboxes.
        public static let pop: Port = 110
        /// Mailboxes that stay on the server.
        public static let imap: Port = 143
        /// The web over TLS.
        public static let https: Port = 443
        /// Mailboxes over TLS.
        public static let imaps: Port = 993
        /// SOCKS proxies.
        public static let socks: Port = 1080

        /// The number.
        public var debugDescription: String { String(rawValue) }
    }
}

extension NWEndpoint: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line: `10.0.0.5:8060`, `[fe80::1%eth0]:80`, `name._type._tcp.local.`, a path or a URL.
    public var description: String { text }

    /// As ``description``.
    public var debugDescription: String { text }
}

extension NWEndpoint.Host: CustomStringConvertible {
    /// The name or address, with `%` and the interface if it is bound to one.
    public var description: String { debugDescription }
}

extension NWEndpoint.Port: CustomStringConvertible {
    /// The number.
    public var description: String { debugDescription }
}

extension IPv4Address: CustomStringConvertible {
    /// Four decimal numbers with dots, and the interface if the address is bound to one.
    public var description: String { debugDescription }
}

extension IPv6Address: CustomStringConvertible {
    /// The shortest form of RFC 5952, and the interface if the address is bound to one.
    public var description: String { debugDescription }
}

extension NWInterface: CustomStringConvertible {
    /// The name.
    public var description: String { debugDescription }
}

import MediaDevice
import NIOCore

/// An announced address of a receiver, with its port.
struct AirPlayAddress: Sendable, Hashable {
    /// Numeric address, IPv6 link-local with its scope (`fe80::1%eth0`), or a host name.
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Creates an address from an endpoint; `nil` unless it is an address and port.
    init?(_ endpoint: NWEndpoint) {
        guard case .hostPort(let host, let port) = endpoint else { return nil }
        self.init(host: host.debugDescription, port: Int(port.rawValue))
    }
}

/// The time limits for a receiver.
struct AirPlayTimeouts: Sendable, Hashable {
    /// The time for each address to accept a connection.
    var connecting = Duration.seconds(5)
    /// The time for each answer. A receiver that first ends another sender's stream needs longer.
    var answer = Duration.seconds(10)
}

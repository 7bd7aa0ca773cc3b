import MediaDevice
import NIOCore

/// Where a receiver listens: one of the addresses it was announced with, and its port.
struct AirPlayAddress: Sendable, Hashable {
    /// Numeric address, IPv6 link-local with its scope (`fe80::1%eth0`), or a host name.
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `nil` for an endpoint that is no address and port.
    init?(_ endpoint: NWEndpoint) {
        guard case .hostPort(let host, let port) = endpoint else { return nil }
        self.init(host: host.debugDescription, port: Int(port.rawValue))
    }
}

/// How long a receiver may take.
struct AirPlayTimeouts: Sendable, Hashable {
    /// For each address to accept a connection.
    var connecting = Duration.seconds(5)
    /// For each answer; a receiver that ends another sender's stream first takes its time.
    var answer = Duration.seconds(10)
}

import DeviceDiscovery
import Foundation
import NIOCore

/// The endpoint and parameters of a connection, read once.
struct ConnectionPlan: Sendable {
    /// The timeout of Apple's systems.
    private static let defaultTimeout = TimeAmount.seconds(75)

    let endpoint: NWEndpoint
    let parameters: NWParameters
    let tls: NWProtocolTLS.Options?
    let webSocket: NWProtocolWebSocket.Options?
    let tcp: NWProtocolTCP.Options
    let internet: NWProtocolIP.Options
    let isDatagram: Bool

    init(_ endpoint: NWEndpoint, _ parameters: NWParameters) {
        self.endpoint = endpoint
        self.parameters = parameters
        let stack = parameters.defaultProtocolStack
        tls = stack.applicationProtocols.lazy.compactMap { $0 as? NWProtocolTLS.Options }.first
        webSocket = stack.applicationProtocols.lazy.compactMap { $0 as? NWProtocolWebSocket.Options }.first
        tcp = stack.transportProtocol as? NWProtocolTCP.Options ?? NWProtocolTCP.Options()
        internet = stack.internetProtocol as? NWProtocolIP.Options ?? NWProtocolIP.Options()
        isDatagram = stack.transportProtocol is NWProtocolUDP.Options
    }

    var keepsMessages: Bool { isDatagram || webSocket != nil }

    /// The time limit of one attempt.
    var timeout: TimeAmount {
        let seconds = isDatagram ? 0 : tcp.connectionTimeout
        return seconds > 0 ? .seconds(Int64(clamping: seconds)) : Self.defaultTimeout
    }

    /// An error that no attempt can avoid; `nil` if there is none.
    var flaw: NWError? {
        if isDatagram, tls != nil || webSocket != nil { return .posix(.EPROTONOSUPPORT) }
        if case .url(let url) = endpoint, hostPort(of: url) == nil {
            return .dns(DNSServiceErrorType(kDNSServiceErr_BadParam))
        }
        return nil
    }

    /// Returns the host and port of a URL; the scheme determines the port if the URL has none.
    func hostPort(of url: URL) -> (host: NWEndpoint.Host, port: NWEndpoint.Port)? {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else { return nil }
        let known: [String: Int] = ["http": 80, "ws": 80, "https": 443, "wss": 443]
        guard let number = url.port ?? known[url.scheme?.lowercased() ?? ""], let port = UInt16(exactly: number),
            port > 0
        else {
            return nil
        }
        return (NWEndpoint.Host(host), NWEndpoint.Port(port))
    }

    /// Returns the server name for TLS.
    ///
    /// - Parameter host: The host name of a service.
    func serverName(host: String?) -> String? {
        if let name = tls?.securityProtocolOptions.values.serverName { return name }
        let target: NWEndpoint.Host? =
            switch endpoint {
            case .hostPort(let host, _): host
            case .url(let url): hostPort(of: url)?.host
            case .service: host.map { NWEndpoint.Host($0) }
            case .unix: nil
            }
        guard case .name(let name, _)? = target else { return nil }
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The `Host` header of an HTTP request, and its path with the query.
    var request: (host: String, path: String) {
        switch endpoint {
        case .url(let url):
            let path = url.path(percentEncoded: true)
            let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
            let port = url.port.map { ":\($0)" } ?? ""
            return ((url.host(percentEncoded: true) ?? "") + port, (path.isEmpty ? "/" : path) + query)
        case .hostPort, .service, .unix: return (serverName(host: nil) ?? endpoint.debugDescription, "/")
        }
    }
}

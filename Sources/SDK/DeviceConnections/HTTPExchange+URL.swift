public import DeviceDiscovery
import Foundation

extension HTTPExchange {
    /// Creates a `GET` request for the path and the query of an `http` URL. The URL's host and port are in the field `Host`,
    /// without a zone, which means something on this computer only.
    public init(url: URL) {
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        self.init(path: (path.isEmpty ? "/" : path) + query)
        let host = (url.host(percentEncoded: false) ?? "").withoutZone
        headers["Host"] = (host.contains(":") ? "[\(host)]" : host) + (url.port.map { ":\($0)" } ?? "")
    }

    /// Returns the host and port of an `http` URL, for ``send(toAnyOf:)``. Without a port it is 80.
    ///
    /// - Throws: ``TransportFailure/unreachable(_:)`` if the URL has no host, or a number that is no port.
    public static func endpoint(of url: URL) throws(TransportFailure) -> NWEndpoint {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw .unreachable("no host in \(url)")
        }
        guard let number = UInt16(exactly: url.port ?? 80), number > 0, let port = NWEndpoint.Port(rawValue: number)
        else { throw .unreachable("no port in \(url)") }
        return .hostPort(host: NWEndpoint.Host(host), port: port)
    }
}

extension String {
    /// A numeric address without `%` and the interface.
    var withoutZone: String { String(prefix { $0 != "%" }) }
}

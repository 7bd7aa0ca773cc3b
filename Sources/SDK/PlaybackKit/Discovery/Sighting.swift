import Foundation
import MediaDevice

/// Where devices announce themselves. Devices that a person added by address come through the same sources.
public enum SightingSource: Sendable, Hashable {
    /// A Bonjour service type, such as `_mpd._tcp`. Declare it in `NSBonjourServices`.
    case bonjour(String)
    /// An SSDP search target, such as `roku:ecp`. Declare it in `MDHostSSDPSearchTargets`.
    case ssdp(String)
}

/// One announcement, as it is now.
public struct Sighting: Sendable, Hashable {
    public let source: SightingSource
    /// The Bonjour instance name, or the SSDP unique service name.
    public let name: String
    /// The name of the host that a Bonjour service points at, without a final dot; `nil` where unknown.
    public let hostName: String?
    /// Address and port, in order of preference; for SSDP those of ``location``.
    public let endpoints: [NWEndpoint]
    /// The Bonjour TXT record, or the SSDP headers with upper-case names.
    public let record: [String: String]
    /// The SSDP description's address.
    public let location: URL?

    /// For tests of a protocol.
    public init(
        _ source: SightingSource, name: String, hostName: String? = nil, endpoints: [NWEndpoint],
        record: [String: String] = [:], location: URL? = nil
    ) {
        self.source = source
        self.name = name
        self.hostName = hostName
        self.endpoints = endpoints
        self.record = record
        self.location = location
    }
}

extension Sighting {
    init(_ result: NWBrowser.Result, from source: SightingSource) {
        var name = ""
        if case .service(let instance, _, _, _) = result.endpoint { name = instance }
        var record: [String: String] = [:]
        if case .bonjour(let txt) = result.metadata { record = txt.dictionary }
        self.init(
            source, name: name, hostName: result.hostName, endpoints: result.resolvedEndpoints, record: record)
    }

    init(_ result: SSDPBrowser.Result, from source: SightingSource) {
        let port = NWEndpoint.Port(rawValue: UInt16(exactly: result.location?.port ?? 80) ?? 80)
        self.init(
            source, name: result.usn,
            endpoints: result.addresses.compactMap { host in
                port.map { NWEndpoint.hostPort(host: host, port: $0) }
            }, record: result.headers, location: result.location)
    }
}

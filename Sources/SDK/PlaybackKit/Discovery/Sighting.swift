public import Foundation
public import MediaDevice

/// A kind of announcement by which devices are discovered. Devices that a person added by address appear in the same
/// sources.
public enum SightingSource: Sendable, Hashable {
    /// A Bonjour service type, such as `_mpd._tcp`. Declare it in `NSBonjourServices`.
    case bonjour(String)
    /// An SSDP search target, such as `roku:ecp`. Declare it in `MDHostSSDPSearchTargets`.
    case ssdp(String)
}

/// One current announcement of a device.
public struct Sighting: Sendable, Hashable {
    /// The source of the announcement.
    public let source: SightingSource
    /// The Bonjour instance name, or the SSDP unique service name (USN).
    public let name: String
    /// The host name of a Bonjour service, without the final dot; `nil` if unknown.
    public let hostName: String?
    /// Addresses with ports, in order of preference; for SSDP those of ``location``.
    public let endpoints: [NWEndpoint]
    /// The Bonjour TXT record, or the SSDP headers with upper-case names.
    public let record: [String: String]
    /// The URL of the SSDP description; `nil` for Bonjour.
    public let location: URL?

    /// Creates an announcement, for tests of a protocol.
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

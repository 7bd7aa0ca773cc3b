import Foundation

/// An SSDP announcement: a device's name with one of its types, and the address of its description.
struct DeviceAnnouncement: Hashable {
    /// The unique service name.
    let usn: String
    let location: URL
    /// The value of `BOOTID.UPNP.ORG`. Another value means that the device restarted.
    let bootIdentifier: String?
    /// The numeric addresses from which the device answers, or the location's host if none is known.
    let addresses: [String]
    var sender: String { addresses.first ?? "" }

    init(usn: String, location: URL, bootIdentifier: String?, addresses: [String] = []) {
        self.usn = usn
        self.location = location
        self.bootIdentifier = bootIdentifier
        self.addresses = addresses.isEmpty ? [location.host(percentEncoded: false) ?? ""] : addresses
    }

    /// Creates the announcement of a sighting; `nil` without a description.
    init?(_ sighting: Sighting) {
        guard let location = sighting.location else { return nil }
        let addresses = sighting.endpoints.compactMap { endpoint in
            if case .hostPort(let host, _) = endpoint { "\(host)" } else { nil }
        }
        self.init(
            usn: sighting.name, location: location, bootIdentifier: sighting.record["BOOTID.UPNP.ORG"],
            addresses: addresses)
    }

    /// Returns the device's part of a unique service name, in lower case; `nil` if the name doesn't begin with `uuid:`.
    ///
    /// - Source: UPnP Device Architecture 1.1, section 1.2.2.
    static func deviceKey(of usn: String) -> String? {
        let key = usn.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard key.hasPrefix("uuid:") else { return nil }
        return key.firstRange(of: "::").map { String(key[..<$0.lowerBound]) } ?? key
    }
}

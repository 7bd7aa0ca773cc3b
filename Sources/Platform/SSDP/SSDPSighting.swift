/// An item as it is reachable at one host on one interface.
struct SSDPSighting: Sendable {
    let interface: String
    let family: SSDPFamily
    /// Host of the location.
    let host: String
    var sender: String
    var location: LocationURL
    var bootID: UInt32?
    var configID: UInt32?
    var headers: [String: String]
    var expires: ContinuousClock.Instant
    /// Ascending in the order of first sight.
    let order: Int

    init(
        _ advertisement: SSDPAdvertisement, location: LocationURL, arrival: SSDPArrival, order: Int,
        now: ContinuousClock.Instant
    ) {
        interface = arrival.interface
        family = arrival.family
        host = location.host
        sender = arrival.sender
        self.location = location
        headers = [:]
        expires = now
        self.order = order
        refresh(advertisement, location: location, sender: arrival.sender, now: now)
    }

    /// Headers that differ from message to message, or that the item has as fields.
    private static let volatileHeaders: Set<String> = [
        "CACHE-CONTROL", "CONTENT-LENGTH", "DATE", "EXT", "HOST", "LOCATION", "MAN", "MX", "NEXTBOOTID.UPNP.ORG", "NT",
        "NTS", "ST", "USN",
    ]

    /// Takes over a newer message. A header it lacks keeps its value: many devices answer searches with fewer headers
    /// than they announce.
    mutating func refresh(
        _ advertisement: SSDPAdvertisement, location: LocationURL, sender: String, now: ContinuousClock.Instant
    ) {
        if bootID != advertisement.bootID, advertisement.bootID != nil { headers.removeAll() }
        self.sender = sender
        self.location = location
        bootID = advertisement.bootID ?? bootID
        configID = advertisement.configID ?? configID
        for (name, value) in advertisement.headers where !Self.volatileHeaders.contains(name) {
            if headers[name] != nil || headers.count < SSDPMessage.maximumHeaders { headers[name] = value }
        }
        if advertisement.kind == .update, let next = advertisement.nextBootID {
            // The device announced its next number: not a reboot.
            bootID = next
            headers["BOOTID.UPNP.ORG"] = String(next)
        }
        expires = now + advertisement.maximumAge
    }

    func isOn(_ arrival: SSDPArrival) -> Bool { interface == arrival.interface && family == arrival.family }

    /// Numeric, link-local IPv6 with its scope.
    var address: String {
        let text = location.isNumeric ? host : sender
        guard let address = NumericAddress(text), address.family == .ipv6, address.isLinkLocal else { return text }
        return "\(text)%\(interface)"
    }

    /// 0 for IPv4, 1 for global and 2 for link-local IPv6.
    var rank: Int {
        guard let address = NumericAddress(location.isNumeric ? host : sender), address.family == .ipv6 else {
            return 0
        }
        return address.isLinkLocal ? 2 : 1
    }
}

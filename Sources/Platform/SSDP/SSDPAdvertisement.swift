/// A checked `NOTIFY` or search answer about one device, embedded device or service.
package struct SSDPAdvertisement: Sendable, Hashable {
    package let kind: SSDPMessage.Kind
    package let target: SSDPTarget
    /// As sent: `uuid:…::urn:…`.
    package let usn: String
    /// `uuid:…`, the part of the USN that names the device.
    package let udn: String
    /// `nil` for byebye.
    let location: LocationURL?
    /// The lifetime of the advertisement; clamped to ``ages``.
    package let maximumAge: Duration
    /// `BOOTID.UPNP.ORG`: grows whenever the device rejoins the network; absent before UPnP 1.1.
    package let bootID: UInt32?
    /// For update: the boot number from now on.
    package let nextBootID: UInt32?
    /// `CONFIGID.UPNP.ORG`: changes with the description.
    package let configID: UInt32?
    package let headers: [String: String]

    package static let ages: ClosedRange<Duration> = .seconds(10) ... .seconds(86_400)
    package static let defaultAge = Duration.seconds(1_800)
    private static let maximumUSNLength = 512

    /// - Throws: ``SSDPError`` `missingHeader`, `invalidHeader`, `invalidTarget`; `unknownStartLine` for a search.
    package init(_ message: SSDPMessage, from arrival: SSDPArrival) throws(SSDPError) {
        let headers = message.headers
        kind = message.kind
        guard kind != .search else { throw .unknownStartLine }
        let targetName = kind == .response ? "ST" : "NT"
        guard let target = headers[targetName] else { throw .missingHeader(targetName) }
        self.target = try SSDPTarget(target)
        guard let usn = headers["USN"] else { throw .missingHeader("USN") }
        guard let udn = Self.deviceName(usn) else { throw .invalidHeader("USN") }
        self.usn = usn
        self.udn = udn
        if kind == .byebye {
            location = nil
        } else {
            guard let text = headers["LOCATION"] else { throw .missingHeader("LOCATION") }
            guard let url = LocationURL(text), Self.isPlausible(url, from: arrival) else {
                throw .invalidHeader("LOCATION")
            }
            location = url
        }
        maximumAge = Self.age(headers["CACHE-CONTROL"])
        bootID = headers["BOOTID.UPNP.ORG"].flatMap { UInt32($0) }
        nextBootID = headers["NEXTBOOTID.UPNP.ORG"].flatMap { UInt32($0) }
        configID = headers["CONFIGID.UPNP.ORG"].flatMap { UInt32($0) }
        self.headers = headers
    }

    /// Returns whether the location can refer to a device: not multicast, and loopback only if the sender is this
    /// machine.
    private static func isPlausible(_ location: LocationURL, from arrival: SSDPArrival) -> Bool {
        guard let host = NumericAddress(location.host) else { return location.host.lowercased() != "localhost" }
        guard host.isUnicast else { return false }
        return !host.isLoopback || arrival.interface == "lo"
    }

    /// `uuid:…` of a USN; `nil` for an empty or oversized name or one without it.
    static func deviceName(_ usn: String) -> String? {
        guard usn.utf8.count <= maximumUSNLength, usn.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let name = usn.firstRange(of: "::").map { String(usn[..<$0.lowerBound]) } ?? usn
        guard name.lowercased().hasPrefix("uuid:"), name.utf8.count > 5 else { return nil }
        return name
    }

    /// `max-age` of a `CACHE-CONTROL` value, clamped to ``ages``; ``defaultAge`` without one.
    static func age(_ cacheControl: String?) -> Duration {
        for directive in cacheControl?.split(separator: ",") ?? [] {
            let parts = directive.split(separator: "=", maxSplits: 1).map {
                $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            }
            guard parts.count == 2, parts[0].lowercased() == "max-age" else { continue }
            let digits = parts[1].filter { $0 != "\"" }
            guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { continue }
            // More digits than fit mean "very long", not "invalid".
            return min(max(.seconds(Int(digits) ?? .max), ages.lowerBound), ages.upperBound)
        }
        return defaultAge
    }
}

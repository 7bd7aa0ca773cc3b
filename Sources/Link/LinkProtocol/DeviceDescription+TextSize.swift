package import HostInterface

extension DeviceDescription {
    /// The largest text size of one device, in bytes. Announcements need a fraction of it: a TXT record has 1,300
    /// bytes.
    package static let largestTextSize = 16 << 10

    /// Bytes of its name, endpoints, TXT records and identifiers.
    package var textSize: Int {
        endpoints.reduce(name.utf8.count) { $0 + $1.utf8.count }
            + txt.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            + deduplicationIdentifiers.reduce(0) { $0 + $1.utf8.count }
    }
}

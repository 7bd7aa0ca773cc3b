import HostInterface

/// The addresses and ports of the services checked by one try.
struct ProbeTarget: Sendable, Hashable {
    struct Place: Sendable, Hashable, Comparable {
        /// Numeric, link-local IPv6 with its scope.
        let address: String
        let port: Int

        /// As in ``DeviceDescription/endpoints``.
        var text: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

        static func < (left: Self, right: Self) -> Bool { (left.address, left.port) < (right.address, right.port) }
    }

    /// Sorted, each once; never empty.
    let places: [Place]
    /// A Boolean value that indicates whether the service uses datagrams. A refused connection then proves that the
    /// host is running, and nothing more can be known.
    let takesDatagrams: Bool

    static let maximumPlaces = 8

    /// `nil` while no address is known.
    init?(_ item: BrowseItem) {
        guard (1...65_535).contains(item.port) else { return nil }
        self.init(
            item.addresses.map { Place(address: $0, port: item.port) }, takesDatagrams: item.type.hasSuffix("._udp"))
    }

    /// `nil` without a place.
    init?(_ places: [Place], takesDatagrams: Bool = false) {
        guard !places.isEmpty else { return nil }
        self.places = Set(places.prefix(Self.maximumPlaces)).sorted()
        self.takesDatagrams = takesDatagrams
    }
}

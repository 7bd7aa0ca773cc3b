import HostInterface

/// Where something is tried: its addresses and ports, whatever is known to be there.
struct ProbeTarget: Sendable, Hashable {
    struct Place: Sendable, Hashable, Comparable {
        /// Numeric, link-local IPv6 with its scope.
        let address: String
        let port: Int
        static func < (left: Self, right: Self) -> Bool { (left.address, left.port) < (right.address, right.port) }
    }

    /// Sorted, each once; never empty.
    let places: [Place]
    /// Whether the service takes datagrams: then a refused connection shows that the host is there, which is all that
    /// can be known.
    let takesDatagrams: Bool

    private static let maximumPlaces = 8

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

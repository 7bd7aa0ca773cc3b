/// The part of avahi-daemon's cache that is used by the services seen on one interface with one address family.
///
/// The daemon keeps `cache-entries-max` records for each combination and drops services announced beyond that. It
/// reports no usage figures, so the numbers here are the minimum that the visible services need.
package struct AvahiCacheLoad: Sendable, Hashable {
    package let interfaceName: String
    package let family: AvahiFamily
    package let services: Int
    /// `cache-entries-max`.
    package let capacity: Int

    package init(interfaceName: String, family: AvahiFamily, services: Int, capacity: Int) {
        self.interfaceName = interfaceName
        self.family = family
        self.services = services
        self.capacity = capacity
    }

    /// PTR, SRV and TXT of each; addresses and other types of services come on top.
    package var records: Int { services * 3 }

    /// A Boolean value that indicates whether services may be missing: the remaining tenth is left for services that no
    /// browse asks for.
    package var isFull: Bool { capacity > 0 && records >= capacity - capacity / 10 }
}

/// Counts the rows of all browses, and returns the full caches.
struct CacheLoads {
    private struct Segment: Hashable {
        let interfaceIndex: Int32
        let family: AvahiFamily
    }

    private struct Count {
        var interfaceName: String
        var services: Int
    }

    private let capacity: Int
    /// Row counts by browse: two browses for one type see the same services.
    private var counts: [Int: (type: String, segments: [Segment: Count])] = [:]
    /// The last reported full caches.
    private(set) var full: [AvahiCacheLoad] = []

    init(capacity: Int) { self.capacity = capacity }

    /// - Returns: Whether ``full`` changed.
    mutating func add(_ service: AvahiService, to browse: Int, by step: Int) -> Bool {
        let segment = Segment(interfaceIndex: service.interfaceIndex, family: service.family)
        var known = counts[browse] ?? (service.type, [:])
        var count = known.segments[segment] ?? Count(interfaceName: service.interfaceName, services: 0)
        count.services += step
        known.segments[segment] = count.services > 0 ? count : nil
        counts[browse] = known
        // A cache far below its limit can't have become full.
        return full.isEmpty && count.services * 3 * counts.count < capacity / 2 ? false : judge()
    }

    /// - Returns: As ``add(_:to:by:)``.
    mutating func remove(_ browse: Int) -> Bool {
        counts[browse] = nil
        return judge()
    }

    private mutating func judge() -> Bool {
        var services: [Segment: [String: Int]] = [:]
        var names: [Segment: String] = [:]
        for (type, segments) in counts.values {
            for (segment, count) in segments {
                names[segment] = count.interfaceName
                services[segment, default: [:]][type] = max(services[segment]?[type] ?? 0, count.services)
            }
        }
        let loads = services.map { segment, types in
            AvahiCacheLoad(
                interfaceName: names[segment] ?? "", family: segment.family,
                services: types.values.reduce(0, +), capacity: capacity)
        }
        let now = loads.filter(\.isFull).sorted {
            ($0.interfaceName, $0.family) < ($1.interfaceName, $1.family)
        }
        // The numbers change with every service; readers only need to know which caches are full.
        let isOther = now.map(\.interfaceName) != full.map(\.interfaceName) || now.map(\.family) != full.map(\.family)
        if isOther { full = now }
        return isOther
    }
}

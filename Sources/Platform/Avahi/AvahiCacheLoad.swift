/// How much of avahi-daemon's cache the services seen on one interface with one family take.
///
/// The daemon keeps `cache-entries-max` records of each; of a service that is announced beyond them nobody hears. It tells
/// no numbers: this is what the services that are seen take at the least.
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

    /// Whether further services may be missing: the rest of the room is for what nobody here has asked for.
    package var isFull: Bool { capacity > 0 && records >= capacity - capacity / 10 }
}

/// Counts the rows of all browses, and tells which caches are full.
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
    /// By browse, as two of one type see the same services.
    private var counts: [Int: (type: String, segments: [Segment: Count])] = [:]
    /// Told last.
    private(set) var full: [AvahiCacheLoad] = []

    init(capacity: Int) { self.capacity = capacity }

    /// - Returns: Whether ``full`` is another now.
    mutating func add(_ service: AvahiService, to browse: Int, by step: Int) -> Bool {
        let segment = Segment(interfaceIndex: service.interfaceIndex, family: service.family)
        var known = counts[browse] ?? (service.type, [:])
        var count = known.segments[segment] ?? Count(interfaceName: service.interfaceName, services: 0)
        count.services += step
        known.segments[segment] = count.services > 0 ? count : nil
        counts[browse] = known
        // Nothing near its limit can have become full.
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
        // The numbers change with every service; who is told wants to know of which caches there are.
        let isOther = now.map(\.interfaceName) != full.map(\.interfaceName) || now.map(\.family) != full.map(\.family)
        if isOther { full = now }
        return isOther
    }
}

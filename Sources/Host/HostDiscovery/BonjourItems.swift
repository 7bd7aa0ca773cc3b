import Avahi
import Foundation
import HostInterface

/// The items of a browse, merged from Avahi's rows for each interface and address family.
///
/// With resolvers, an item is reported when it is resolved, when resolution fails, or when Avahi settles, whichever
/// comes first. A service that can no longer be resolved stays, without addresses; its host, port and TXT record are
/// the last known.
struct BonjourItems {
    private enum Answer {
        case open
        case answered(AvahiResolution)
        /// The resolution failed; the value is the last one.
        case silent(AvahiResolution?)

        /// The last answer, of now or before the silence.
        var resolution: AvahiResolution? {
            switch self {
            case .open: nil
            case .answered(let resolution): resolution
            case .silent(let resolution): resolution
            }
        }

        /// The resolved address; `nil` without a current answer.
        var address: String? {
            if case .answered(let resolution) = self { resolution.address } else { nil }
        }
    }

    private struct Service {
        var rows: [AvahiService: Answer] = [:]
        /// The last report; `nil` before the first answer.
        var reported: BrowseItem?
    }

    private let resolves: Bool
    private var services: [String: Service] = [:]

    init(resolves: Bool) {
        self.resolves = resolves
    }

    /// Returns the browse events for an event of Avahi.
    mutating func apply(_ event: AvahiEvent) -> [BrowseEvent] {
        switch event {
        case .added(let row): return update(row) { $0.rows[row] = .open }
        case .removed(let row): return update(row) { $0.rows[row] = nil }
        case .resolved(let row, let resolution):
            return update(row) { if $0.rows[row] != nil { $0.rows[row] = .answered(resolution) } }
        case .unresolved(let row, _):
            return update(row) { if let answer = $0.rows[row] { $0.rows[row] = .silent(answer.resolution) } }
        case .settled:
            let open = services.filter { $0.value.reported == nil }.keys.sorted()
            return open.compactMap { report($0, evenUnresolved: true) } + [BrowseEvent(.settled)]
        case .waiting(let error): return [BrowseEvent(.waiting, message: "Avahi does not answer: \(error.message).")]
        case .ready: return [BrowseEvent(.ready)]
        case .failed(let error): return [BrowseEvent(.failed, message: "Avahi: \(error.message).")]
        }
    }

    private static func key(_ row: AvahiService) -> String {
        BrowseItem(name: row.name, type: row.type, domain: row.domain).key
    }

    private mutating func update(_ row: AvahiService, _ change: (inout Service) -> Void) -> [BrowseEvent] {
        let key = Self.key(row)
        change(&services[key, default: Service()])
        return report(key, evenUnresolved: !resolves).map { [$0] } ?? []
    }

    private mutating func report(_ key: String, evenUnresolved: Bool) -> BrowseEvent? {
        guard let service = services[key] else { return nil }
        guard let item = Self.item(service.rows) else {
            services[key] = nil
            return service.reported.map { BrowseEvent(.lost, item: $0) }
        }
        guard service.reported != item else { return nil }
        let isAnswered = service.rows.values.contains { if case .answered = $0 { true } else { false } }
        let isHopeless = service.rows.values.allSatisfy { if case .silent = $0 { true } else { false } }
        guard service.reported != nil || evenUnresolved || isAnswered || isHopeless else { return nil }
        services[key]?.reported = item
        return BrowseEvent(service.reported == nil ? .found : .changed, item: item)
    }

    /// Returns the merged item; `nil` without rows. Host, port and TXT record are those of the first resolved row.
    private static func item(_ rows: [AvahiService: Answer]) -> BrowseItem? {
        let ordered = rows.keys.sorted { ($0.family, $0.interfaceIndex) < ($1.family, $1.interfaceIndex) }
        guard let first = ordered.first else { return nil }
        let resolved = ordered.lazy.compactMap { rows[$0]?.resolution }.first
        return BrowseItem(
            name: first.name, type: first.type, domain: first.domain,
            interfaces: Set(ordered.map(\.interfaceName)).sorted(),
            addresses: AddressOrder.sorted(ordered.compactMap { rows[$0]?.address }), host: resolved?.host,
            port: resolved.map { Int($0.port) } ?? 0,
            txt: resolved?.txt.mapValues { Data($0) } ?? [:])
    }
}

/// The order in which addresses are tried.
enum AddressOrder {
    /// IPv4, global IPv6, link-local IPv6 (the ones with a scope); else as given, without repetitions.
    static func sorted(_ addresses: [String]) -> [String] {
        var seen: Set<String> = []
        let unique = addresses.filter { seen.insert($0).inserted }
        return (0...2).flatMap { rank in unique.filter { self.rank($0) == rank } }
    }

    private static func rank(_ address: String) -> Int {
        address.contains("%") ? 2 : address.contains(":") ? 1 : 0
    }
}

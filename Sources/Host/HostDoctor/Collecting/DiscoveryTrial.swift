import Avahi
import Glibc
import SSDP

/// Sends queries on every interface, and counts the answers by interface.
struct DiscoveryTrial {
    let bonjourTypes: [String]
    let searchTargets: [String]
    let ownAddresses: Set<String>
    let cacheEntries: Int
    /// The duration of the test. SSDP devices may delay their answer by MX = 1 s; resolving services known to Avahi
    /// takes less.
    var duration = Duration.milliseconds(2_500)

    // MARK: Bonjour

    func mdns() async -> MulticastDNSFacts {
        var facts = MulticastDNSFacts()
        facts.types = bonjourTypes
        do {
            let client = try AvahiClient(cacheEntries: cacheEntries)
            async let fullCaches = fullCaches(of: client)
            let found = try await withThrowingTaskGroup(of: [BonjourCount].self) { group in
                for type in bonjourTypes {
                    group.addTask { await count(try await client.browse(type: type, resolving: true)) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            facts.avahiFailure = found.compactMap(\.failure).first
            for part in found {
                for (interface, names) in part.services { facts.answers[interface, default: 0] += names.count }
            }
            await client.close()
            facts.fullCaches = await fullCaches
        } catch let error as AvahiError {
            facts.avahiFailure = error.message
        } catch {
            facts.avahiFailure = "\(error)"
        }
        return facts
    }

    /// Collects the caches that are full at any time until the client is closed.
    private func fullCaches(of client: AvahiClient) async -> [MulticastDNSFacts.FullCache] {
        var last: [AvahiCacheLoad] = []
        for await full in await client.fullCaches() where !full.isEmpty { last = full }
        return last.map { .init(interface: $0.interfaceName, isIPv6: $0.family == .ipv6, capacity: $0.capacity) }
    }

    private struct BonjourCount: Sendable {
        /// The names of other machines' services, by interface.
        var services: [String: Set<String>] = [:]
        var failure: String?
    }

    private func count(_ events: AsyncStream<AvahiEvent>) async -> [BonjourCount] {
        var count = BonjourCount()
        for await event in limited(events) {
            switch event {
            case .added(let service), .unresolved(let service, _):
                count.services[service.interfaceName, default: []].insert(service.name)
            case .resolved(let service, let resolution):
                let address = resolution.address?.split(separator: "%").first.map(String.init)
                guard service.interfaceName == "lo" || address.map(ownAddresses.contains) == true else { continue }
                count.services[service.interfaceName]?.remove(service.name)
            case .removed(let service):
                count.services[service.interfaceName]?.remove(service.name)
            case .waiting(let error), .failed(let error): count.failure = error.message
            case .ready: count.failure = nil
            case .settled: break
            }
        }
        return [count]
    }

    // MARK: SSDP

    func ssdp() async -> SSDPFacts {
        var facts = SSDPFacts()
        facts.targets = searchTargets
        let browser = SSDPBrowserService()
        var devices: [String: Set<String>] = [:]
        // With the last browse its sockets are closed and their troubles forgotten.
        async let failures = failures(of: browser, after: duration * 0.8)
        await withTaskGroup(of: [String: Set<String>].self) { group in
            for target in searchTargets {
                guard let target = try? SSDPTarget(target) else { continue }
                group.addTask { await devicesByInterface(await browser.browse(target)) }
            }
            for await part in group { devices.merge(part) { $0.union($1) } }
        }
        facts.answers = devices.mapValues(\.count)
        facts.failures = await failures
        return facts
    }

    private func failures(of browser: SSDPBrowserService, after delay: Duration) async -> [String: String] {
        try? await Task.sleep(for: delay)
        return await browser.report.problems.mapValues { error in
            guard case .system(let call, let number) = error else { return "\(error)" }
            return "\(call): \(String(cString: strerror(number)))"
        }
    }

    private func devicesByInterface(_ events: AsyncStream<SSDPEvent>) async -> [String: Set<String>] {
        var devices: [String: Set<String>] = [:]
        for await event in limited(events) {
            guard case .change(let change) = event else { continue }
            for interface in change.item.interfaces { devices[interface, default: []].insert(change.item.udn) }
        }
        return devices
    }

    /// Returns the events that arrive within ``duration``.
    private func limited<Event: Sendable>(_ events: AsyncStream<Event>) -> AsyncStream<Event> {
        let (stream, sink) = AsyncStream.makeStream(of: Event.self)
        let reader = Task {
            for await event in events { sink.yield(event) }
            sink.finish()
        }
        let timer = Task { [duration] in
            try? await Task.sleep(for: duration)
            reader.cancel()
            sink.finish()
        }
        sink.onTermination = { _ in
            reader.cancel()
            timer.cancel()
        }
        return stream
    }
}

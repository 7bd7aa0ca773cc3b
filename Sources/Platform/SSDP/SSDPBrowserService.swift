import Dispatch
import Reachability

/// An event of a browse.
package enum SSDPEvent: Sendable, Hashable {
    case change(SSDPChange)
    /// The first answers had their time. Once a browse.
    case settled
    /// No interface to search on; found items are gone.
    case waiting
    /// There is one again.
    case ready
}

/// Finds UPnP devices on every interface, over IPv4 and IPv6, by searching and listening.
///
/// Owns the sockets. They are open while there is a browse; a browse searches for at most 30 s and listens from then
/// on, and searches again on a network that appears later. Runs on a Dispatch queue of its own.
package actor SSDPBrowserService {
    struct Browse {
        let target: SSDPTarget
        let sink: AsyncStream<SSDPEvent>.Continuation
        var search: Task<Void, Never>?
    }

    /// The sockets of one interface.
    private struct Channel {
        var interface: NetworkInterface
        var families: Set<SSDPFamily> = []
        var sockets: [Int] = []
    }

    private nonisolated let executor = QueueExecutor(label: "mdhost.ssdp")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let interfaces: NetworkInterface.Selection
    private let schedule: SearchSchedule
    private var browses: [Int: Browse] = [:]
    private var lastNumber = 0
    private var monitor: InterfaceMonitor?
    private var channels: [String: Channel] = [:]
    private var sockets: [Int: SSDPSocket] = [:]
    private var cache = SSDPCache()
    private var limiter = SSDPRateLimiter()
    private var counters = SSDPReport()
    private var burst: Task<Void, Never>?
    private var expiry: (at: ContinuousClock.Instant, task: Task<Void, Never>)?

    package init(interfaces: NetworkInterface.Selection = .multicast, schedule: SearchSchedule = .standard) {
        self.interfaces = interfaces
        self.schedule = schedule
    }

    isolated deinit {
        stop()
    }

    /// Searches and listens for items that match `target`; the first search is sent before this returns.
    ///
    /// Known items come first. Ending the iteration ends the browse. The stream buffers without limit: a lost event
    /// would lose a device, and senders are limited before they get here.
    package func browse(_ target: SSDPTarget) -> AsyncStream<SSDPEvent> {
        lastNumber += 1
        let number = lastNumber
        let (stream, sink) = AsyncStream.makeStream(of: SSDPEvent.self, bufferingPolicy: .unbounded)
        sink.onTermination = { [weak self] _ in
            Task { await self?.cancel(number) }
        }
        if browses.isEmpty { start() }
        browses[number] = Browse(target: target, sink: sink)
        for item in cache.items(matching: target) { sink.yield(.change(.found(item))) }
        if channels.isEmpty { sink.yield(.waiting) }
        search(target)
        browses[number]?.search = Task { [weak self, schedule] in
            await self?.follow(schedule, browse: number)
        }
        return stream
    }

    /// Ends every browse and closes the sockets. A later browse opens them again.
    package func close() {
        let ended = browses
        browses.removeAll()
        for browse in ended.values {
            browse.search?.cancel()
            browse.sink.finish()
        }
        stop()
    }

    /// The items seen and the problems since the service was created.
    package var report: SSDPReport {
        var report = counters
        report.refused = cache.refused
        report.items = cache.count
        report.interfaces = channels.keys.sorted()
        return report
    }

    private func cancel(_ number: Int) {
        guard let browse = browses.removeValue(forKey: number) else { return }
        browse.search?.cancel()
        if browses.isEmpty { stop() }
    }

    // MARK: Interfaces

    private func start() {
        do throws(ReachabilityError) {
            let monitor = try InterfaceMonitor(queue: executor.queue)
            monitor.start { [weak self] in
                self?.assumeIsolated { $0.followInterfaces() }
            }
            self.monitor = monitor
        } catch {
            counters.problems["interface monitor"] = .system(call: error.call, number: error.number)
        }
        openChannels()
    }

    private func stop() {
        monitor?.stop()
        monitor = nil
        burst?.cancel()
        expiry?.task.cancel()
        expiry = nil
        for name in channels.keys { closeChannel(name) }
        cache.removeAll()
    }

    private func followInterfaces() {
        guard !browses.isEmpty else { return }
        let hadNone = channels.isEmpty
        guard openChannels() else { return }
        if channels.isEmpty, !hadNone { for browse in browses.values { browse.sink.yield(.waiting) } }
        if !channels.isEmpty, hadNone { for browse in browses.values { browse.sink.yield(.ready) } }
        burst?.cancel()
        burst = Task { [weak self, times = schedule.burst] in
            let start = ContinuousClock.now
            for time in times {
                do { try await Task.sleep(until: start + time, clock: .continuous) } catch { return }
                await self?.searchAll()
            }
        }
    }

    /// Brings the sockets in line with the interfaces; whether anything changed.
    @discardableResult
    private func openChannels() -> Bool {
        let current: [String: NetworkInterface]
        do throws(SSDPError) {
            current = try NetworkInterface.current(interfaces)
        } catch {
            counters.problems["interfaces"] = error
            return false
        }
        var isChanged = false
        for (name, channel) in channels where current[name]?.index != channel.interface.index {
            closeChannel(name)
            report(cache.forget(interface: name))
            isChanged = true
        }
        for (name, interface) in current where channels[name]?.interface != interface {
            channels[name, default: Channel(interface: interface)].interface = interface
            if !interface.ipv4.isEmpty { open(.ipv4, on: interface) }
            if !interface.ipv6.isEmpty { open(.ipv6, on: interface) }
            isChanged = true
        }
        return isChanged
    }

    private func open(_ family: SSDPFamily, on interface: NetworkInterface) {
        guard channels[interface.name]?.families.insert(family).inserted == true else { return }
        let groups = SSDPSocket.Group.all(family)
        for group in groups {
            adopt("listen to \(group.address) on \(interface.name)", interface) { () throws(SSDPError) in
                try SSDPSocket(listeningTo: group, on: interface, queue: executor.queue)
            }
        }
        adopt("search by \(groups[0].address) on \(interface.name)", interface) { () throws(SSDPError) in
            try SSDPSocket(searching: family, on: interface, queue: executor.queue)
        }
    }

    private func adopt(_ purpose: String, _ interface: NetworkInterface, _ make: () throws(SSDPError) -> SSDPSocket) {
        do throws(SSDPError) {
            let socket = try make()
            lastNumber += 1
            let number = lastNumber
            sockets[number] = socket
            channels[interface.name]?.sockets.append(number)
            socket.start { [weak self] in
                self?.assumeIsolated { $0.read(number) }
            }
            counters.problems[purpose] = nil
        } catch {
            counters.problems[purpose] = error
        }
    }

    private func closeChannel(_ name: String) {
        guard let channel = channels.removeValue(forKey: name) else { return }
        for number in channel.sockets { sockets.removeValue(forKey: number)?.stop() }
        counters.problems = counters.problems.filter { !$0.key.hasSuffix(" on \(name)") }
    }

    // MARK: Searching

    private func follow(_ schedule: SearchSchedule, browse number: Int) async {
        let start = ContinuousClock.now
        var steps = schedule.times.filter { $0 > .zero }.map { (time: $0, isSearch: true) }
        steps.append((schedule.settled, false))
        for step in steps.sorted(by: { $0.time < $1.time }) {
            do { try await Task.sleep(until: start + step.time, clock: .continuous) } catch { return }
            guard let browse = browses[number] else { return }
            if step.isSearch { search(browse.target) } else { browse.sink.yield(.settled) }
        }
    }

    private func searchAll() {
        for target in Set(browses.values.map(\.target)) { search(target) }
    }

    private func search(_ target: SSDPTarget) {
        let request = SSDPSearch(target: target)
        for socket in sockets.values where socket.isSearching {
            for group in SSDPSocket.Group.all(socket.family) {
                let purpose = "send to \(group.address) on \(socket.interface.name)"
                do throws(SSDPError) {
                    try socket.send(request.datagram(host: group.host), to: group)
                    counters.problems[purpose] = nil
                } catch {
                    counters.problems[purpose] = error
                }
            }
        }
    }

    // MARK: Listening

    private func read(_ number: Int) {
        guard let socket = sockets[number] else { return }
        let now = ContinuousClock.now
        for datagram in socket.receive() {
            counters.datagrams += 1
            guard limiter.admit(datagram.sender.text, now: now) else {
                counters.limited += 1
                continue
            }
            let arrival = SSDPArrival(
                interface: socket.interface.name, family: socket.family, sender: datagram.sender.text)
            do throws(SSDPError) {
                let message = try SSDPMessage(parsing: datagram.bytes)
                guard message.kind != .search else { continue }
                take(try SSDPAdvertisement(message, from: arrival), arrival, now)
            } catch {
                counters.malformed += 1
            }
        }
    }

    private func take(_ advertisement: SSDPAdvertisement, _ arrival: SSDPArrival, _ now: ContinuousClock.Instant) {
        if let change = cache.receive(advertisement, from: arrival, now: now) { report([change]) }
        if advertisement.kind != .byebye { expire(by: now + advertisement.maximumAge) }
    }

    private func report(_ changes: [SSDPChange]) {
        for change in changes {
            for browse in browses.values {
                if let seen = change.seen(by: browse.target) { browse.sink.yield(.change(seen)) }
            }
        }
    }

    // MARK: Expiry

    /// Makes sure that ``expire()`` runs at `instant` or before; at most once a second.
    private func expire(by instant: ContinuousClock.Instant) {
        if let expiry, expiry.at <= instant { return }
        expiry?.task.cancel()
        let task = Task { [weak self] in
            do { try await Task.sleep(until: instant, tolerance: .seconds(1), clock: .continuous) } catch { return }
            await self?.expire()
        }
        expiry = (instant, task)
    }

    private func expire() {
        expiry = nil
        let now = ContinuousClock.now
        report(cache.expire(now: now))
        if let next = cache.nextExpiry { expire(by: max(next, now + .seconds(1))) }
    }
}

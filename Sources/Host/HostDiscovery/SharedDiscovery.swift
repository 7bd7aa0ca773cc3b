import Avahi
import HostCore
package import HostInterface
package import Logging
import Reachability
import SSDP

/// The daemon's shared browsers: one browse for each distinct request, whatever the number of its readers.
///
/// Every reader has an ``EventMailbox`` with at most one event per item, so one that doesn't read uses bounded memory,
/// and gets the current state when it continues.
///
/// Reported items were checked; see ``LiveDirectory`` and `SharedDiscovery+Liveness.swift`.
package actor SharedDiscovery: DiscoveryProvider {
    private struct Reader {
        let request: BrowseRequest
        var mailbox = EventMailbox()
        /// The reader that waits for the next events.
        var waiting: CheckedContinuation<[BrowseEvent]?, Never>?
        /// A Boolean value that indicates whether nothing follows the mailbox.
        var isEnded = false
        /// A Boolean value that indicates whether the reader just got all events there were, and rests before the next.
        var isResting = false

        /// Returns the next batch of events; `nil` if there are none.
        mutating func take() -> [BrowseEvent]? {
            let events = mailbox.take(atMost: largestBatch)
            guard !events.isEmpty else { return nil }
            isResting = events.count < largestBatch
            return events
        }
    }

    /// The highest number of events that a reader gets at a time.
    static let largestBatch = 100
    /// The time that a reader rests after a batch, in which the next one gathers. A thousand services that appear one
    /// by one would otherwise be a thousand batches.
    private static let rest = Duration.milliseconds(25)

    let bonjour: any BonjourBrowsing
    private let ssdp: any SSDPBrowsing
    let prober: any EndpointProbing
    let logger: Logger
    private let clock: any Clock<Duration>
    private var browses: [BrowseRequest: SharedBrowse] = [:]
    private var readers: [Int: Reader] = [:]
    private var lastNumber = 0

    /// Added by hand, and how it shows in each browse.
    var manual: [ManualDevice.Finding] = []
    var overlays: [BrowseRequest: ManualOverlay] = [:]

    var directory = LiveDirectory()
    /// Wakes for the next try.
    var alarm: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// The number of batches of tries whose first answers aren't read yet.
    var gatheringBatches = 0
    var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
    /// The streams that report items whose try got no answer.
    var doubters: [Int: AsyncStream<[String]>.Continuation] = [:]
    var machine: MachineWatch?
    var checksUnderWay = 0
    var waitingChecks: ArraySlice<CheckedContinuation<Void, Never>> = []

    package init(
        bonjour: any BonjourBrowsing, ssdp: any SSDPBrowsing, prober: any EndpointProbing,
        logger: Logger, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.bonjour = bonjour
        self.ssdp = ssdp
        self.prober = prober
        self.logger = logger
        self.clock = clock
    }

    var activeRequests: [BrowseRequest] { Array(browses.keys) }

    /// Number of underlying browses.
    package var browseCount: Int { browses.count }

    var readerCount: Int { readers.count }

    package func browse(_ request: BrowseRequest) -> AsyncStream<[BrowseEvent]> {
        let number = nextNumber()
        if browses[request] == nil { start(request, number: number) }
        var reader = Reader(request: request)
        for event in browses[request]?.join(number) ?? [] { reader.mailbox.put(event) }
        readers[number] = reader
        let membership = Membership { [weak self] in await self?.leave(number) }
        return AsyncStream { [weak self] in
            let events = await self?.next(number)
            withExtendedLifetime(membership) {}
            return events
        }
    }

    package nonisolated func limits() async -> AsyncStream<[HostError]> {
        let caches = await bonjour.fullCaches()
        return AsyncStream { sink in
            let task = Task {
                for await full in caches { sink.yield(full.map(HostError.init)) }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Readers

    private func next(_ number: Int) async -> [BrowseEvent]? {
        if readers[number]?.isResting == true {
            readers[number]?.isResting = false
            try? await clock.sleep(for: Self.rest)
        }
        if let events = readers[number]?.take() { return events }
        guard !Task.isCancelled, let reader = readers[number], !reader.isEnded else {
            leave(number)
            return nil
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let events = readers[number]?.take() {
                    continuation.resume(returning: events)
                } else if readers[number] == nil || readers[number]?.isEnded == true {
                    continuation.resume(returning: nil)
                } else {
                    // The stream is read by one task at a time; an earlier one would never be answered.
                    readers[number]?.waiting?.resume(returning: nil)
                    readers[number]?.waiting = continuation
                }
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    private func leave(_ number: Int) {
        guard let reader = readers.removeValue(forKey: number) else { return }
        reader.waiting?.resume(returning: nil)
        guard var browse = browses[reader.request] else { return }
        browse.leave(number)
        browses[reader.request] = browse
        if browse.members.isEmpty { stop(reader.request) }
    }

    private func heard(_ event: BrowseEvent, of request: BrowseRequest, number: Int) {
        guard browses[request]?.number == number else { return }
        for change in overlays[request]?.apply(event) ?? [event] {
            // A change other than the event itself is about a manual item.
            let isHeard = change.item?.key == event.item?.key && event.kind != .lost ? nil : false
            for told in directory.apply(change, of: request, isHeard: isHeard, now: .now) {
                deliver(told, of: request)
            }
        }
        advance()
    }

    func deliver(_ event: BrowseEvent, of request: BrowseRequest) {
        browses[request]?.note(event)
        for reader in browses[request]?.members ?? [] {
            readers[reader]?.mailbox.put(event)
            guard let waiting = readers[reader]?.waiting, let next = readers[reader]?.take() else { continue }
            readers[reader]?.waiting = nil
            waiting.resume(returning: next)
        }
    }

    // MARK: Underlying browses

    private func start(_ request: BrowseRequest, number: Int) {
        logger.debug("browse started", metadata: ["discovery.type": "\(request.type)"])
        var browse = SharedBrowse(number: number)
        browse.task = Task { [weak self, bonjour, ssdp] in
            let deliver = { (event: BrowseEvent) async -> Void in
                await self?.heard(event, of: request, number: number)
            }
            let failure =
                switch request.kind {
                case .bonjour: await Self.followBonjour(request, bonjour, deliver: deliver)
                case .ssdp: await Self.followSSDP(request, ssdp, deliver: deliver)
                }
            await self?.ended(request, number: number, failure)
        }
        browses[request] = browse
        applyManual(to: request)
        advance()
    }

    private func stop(_ request: BrowseRequest) {
        logger.debug("browse stopped", metadata: ["discovery.type": "\(request.type)"])
        browses.removeValue(forKey: request)?.task?.cancel()
        overlays[request] = nil
        directory.end(request)
        advance()
    }

    /// Ends a browse that can't continue. Its readers receive the reason and then the end.
    private func ended(_ request: BrowseRequest, number: Int, _ failure: BrowseEvent?) {
        guard let browse = browses[request], browse.number == number else { return }
        browses[request] = nil
        overlays[request] = nil
        directory.end(request)
        advance()
        let event = failure ?? BrowseEvent(.failed, message: "The browser was shut down.")
        logger.info(
            "browse failed",
            metadata: ["discovery.type": "\(request.type)", "error.message": "\(event.message ?? "")"])
        for reader in browse.members {
            readers[reader]?.isEnded = true
            readers[reader]?.mailbox.put(event)
            guard let waiting = readers[reader]?.waiting else { continue }
            readers[reader]?.waiting = nil
            waiting.resume(returning: readers[reader]?.take())
        }
    }

    private static func followBonjour(
        _ request: BrowseRequest, _ bonjour: any BonjourBrowsing, deliver: (BrowseEvent) async -> Void
    ) async -> BrowseEvent? {
        do throws(AvahiError) {
            let stream = try await bonjour.browse(
                type: request.type, domain: request.domain, resolving: true)
            var items = BonjourItems(resolves: true)
            for await event in stream {
                for change in items.apply(event) {
                    if change.kind == .failed { return change }
                    await deliver(change)
                }
            }
            return nil
        } catch {
            return BrowseEvent(.failed, message: "\(request.type): \(error.message).")
        }
    }

    private static func followSSDP(
        _ request: BrowseRequest, _ ssdp: any SSDPBrowsing, deliver: (BrowseEvent) async -> Void
    ) async -> BrowseEvent? {
        guard let target = try? SSDPTarget(request.type) else {
            return BrowseEvent(.failed, message: "\(request.type) isn't an SSDP search target.")
        }
        for await event in await ssdp.browse(target) {
            for change in SSDPItems.events(event) { await deliver(change) }
        }
        return nil
    }
}

extension HostError {
    fileprivate init(_ cache: AvahiCacheLoad) {
        self.init(
            .discoveryLimited,
            """
            Avahi has no room for more services of \(cache.interfaceName) over \(cache.family == .ipv6 ? "IPv6" : "IPv4"): \
            its cache of \(cache.capacity) entries takes about \(cache.capacity / 3).
            """)
    }
}

/// Leaves a browse when its stream is released, whether or not it was read to its end.
private final class Membership: Sendable {
    private let leave: @Sendable () async -> Void

    init(leave: @escaping @Sendable () async -> Void) {
        self.leave = leave
    }

    deinit {
        let leave = leave
        Task { await leave() }
    }
}

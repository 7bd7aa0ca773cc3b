import Backoff
import CAvahi

/// A connection to avahi-daemon that browses service types and keeps resolvers for the services found.
///
/// The first browse opens the connection. A missing daemon or bus is not an error: browses wait, are created again
/// after a restart, and then report only differences. Runs on its own thread (``AvahiLoop``); a call blocks that thread
/// for one exchange with the local daemon.
package actor AvahiClient {
    struct Browse {
        let type: String
        let domain: String?
        let resolves: Bool
        let sink: AsyncStream<AvahiEvent>.Continuation
        var rows = BrowseRows()
        var handle: OpaquePointer?
    }

    /// Names a resolver: the browse it belongs to and the row it asks for.
    struct ResolverKey: Hashable, Sendable {
        let browse: Int
        let service: AvahiService
    }

    struct Resolver {
        let handle: OpaquePointer
        let context: CallbackContext
    }

    private enum Link {
        case none
        /// `avahi_client_new` is running or the daemon is not there yet.
        case connecting
        case connected
        case failed(AvahiError)
    }

    nonisolated let loop: AvahiLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `AvahiClient *`; frees every browser and resolver with it.
    private(set) var connection: OpaquePointer?
    var browses: [Int: Browse] = [:]
    var contexts: [Int: CallbackContext] = [:]
    var resolvers: [ResolverKey: Resolver] = [:]
    var queue: ResolverQueue<ResolverKey>
    private var link = Link.none
    private var clientContext: CallbackContext?
    /// The reason browses wait; `nil` while connected.
    private(set) var outage: AvahiError?
    private var lastBrowse = 0
    private var retry: Task<Void, Never>?
    private var backoff = Backoff(from: .milliseconds(500), upTo: .seconds(30))
    private var isClosed = false
    private var loads: CacheLoads
    private var loadWatchers: [Int: AsyncStream<[AvahiCacheLoad]>.Continuation] = [:]

    /// - Parameters:
    ///   - askedLimit: Resolvers without an answer at a time.
    ///   - keptLimit: Resolvers at a time; with the browsers less than avahi-daemon's 1,024 objects a client.
    ///   - cacheEntries: ``AvahiSettings/cacheEntries`` of the daemon.
    /// - Throws: ``AvahiError`` `no-memory` or `operating-system`.
    package init(
        askedLimit: Int = 32, keptLimit: Int = 900, cacheEntries: Int = AvahiSettings("").cacheEntries
    ) throws(AvahiError) {
        loop = try AvahiLoop()
        loads = CacheLoads(capacity: cacheEntries)
        queue = ResolverQueue(askedLimit: askedLimit, keptLimit: keptLimit)
    }

    isolated deinit {
        retry?.cancel()
        if let connection { avahi_client_free(connection) }
    }

    /// Browses a type on every interface, over IPv4 and IPv6.
    ///
    /// Ending the iteration frees the browser and its resolvers. The stream buffers without limit: a lost event would
    /// lose a service, and the number of rows is bounded by the daemon's cache (4,096 records an interface and
    /// protocol).
    ///
    /// - Parameters:
    ///   - type: `_mpd._tcp`, or a subtype `_printer._sub._http._tcp`.
    ///   - domain: `nil` for the daemon's own, usually `local`.
    ///   - resolving: `true` to keep a resolver for every row (``AvahiEvent/resolved(_:_:)``).
    /// - Throws: ``AvahiError`` `invalidServiceType`, `invalidDomainName`, or `badState` after ``close()``.
    package func browse(
        type: String, domain: String? = nil, resolving: Bool
    ) throws(AvahiError) -> AsyncStream<AvahiEvent> {
        guard !isClosed else { throw AvahiError(.badState) }
        let isSubtype = avahi_is_valid_service_subtype(type) != 0
        guard isSubtype || avahi_is_valid_service_type_strict(type) != 0, !type.utf8.contains(0) else {
            throw AvahiError(.invalidServiceType)
        }
        if let domain, avahi_is_valid_domain_name(domain) == 0 { throw AvahiError(.invalidDomainName) }

        lastBrowse += 1
        let identifier = lastBrowse
        let (stream, sink) = AsyncStream.makeStream(of: AvahiEvent.self, bufferingPolicy: .unbounded)
        sink.onTermination = { [weak self] _ in
            Task { await self?.cancel(identifier) }
        }
        browses[identifier] = Browse(type: type, domain: domain, resolves: resolving, sink: sink)
        switch link {
        case .connected: startBrowser(identifier)
        case .connecting, .failed:
            if let outage { sink.yield(.waiting(outage)) }
        case .none:
            if let outage { sink.yield(.waiting(outage)) }
            connect()
        }
        return stream
    }

    /// Ends every browse and the connection; later browses fail with `badState`.
    package func close() {
        isClosed = true
        retry?.cancel()
        disconnect()
        let ended = browses
        browses.removeAll()
        for browse in ended.values { browse.sink.finish() }
        for watcher in loadWatchers.values { watcher.finish() }
    }

    /// The number of objects the daemon keeps for this client, and the number of rows that wait for a resolver.
    package var objectCounts: (browsers: Int, resolvers: Int, waiting: Int) {
        (browses.values.count { $0.handle != nil }, resolvers.count, queue.waitingCount)
    }

    // MARK: The daemon's cache

    /// The caches that have no room for further services, at once and whenever they are others.
    package func fullCaches() -> AsyncStream<[AvahiCacheLoad]> {
        let (stream, sink) = AsyncStream.makeStream(of: [AvahiCacheLoad].self, bufferingPolicy: .bufferingNewest(1))
        lastBrowse += 1
        let number = lastBrowse
        loadWatchers[number] = sink
        sink.onTermination = { [weak self] _ in Task { await self?.endWatch(number) } }
        sink.yield(loads.full)
        return stream
    }

    private func endWatch(_ number: Int) { loadWatchers[number] = nil }

    func count(_ change: (inout CacheLoads) -> Bool) {
        guard change(&loads) else { return }
        for watcher in loadWatchers.values { watcher.yield(loads.full) }
    }

    // MARK: Connection

    private func connect() {
        guard connection == nil, !isClosed, !browses.isEmpty else { return }
        link = .connecting
        let context = CallbackContext(client: self)
        clientContext = context
        var number: Int32 = 0
        let made = avahi_client_new(
            loop.pollInterface, AVAHI_CLIENT_NO_FAIL, CallbackContext.clientStateChanged, context.pointer, &number)
        guard let made else {
            // Without a bus there is no notification when one appears.
            link = .none
            wait(AvahiError(number: number))
            retryLater()
            return
        }
        connection = made
        adoptLink()
    }

    /// The client's callback, which also runs inside `avahi_client_new`, before the handle is known.
    func stateChanged(_ state: AvahiClientState, number: Int32) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: link = .connected
        case AVAHI_CLIENT_FAILURE: link = .failed(AvahiError(number: number))
        default: link = .connecting
        }
        if connection != nil { adoptLink() }
    }

    private func adoptLink() {
        switch link {
        case .none: break
        case .connecting: wait(AvahiError(.noDaemon))
        case .connected:
            if outage != nil {
                outage = nil
                for browse in browses.values { browse.sink.yield(.ready) }
            }
            backoff.reset()
            for identifier in browses.keys.sorted() where browses[identifier]?.handle == nil {
                startBrowser(identifier)
            }
        case .failed(let error):
            let wasWorking = outage == nil
            wait(error)
            if wasWorking {
                // Not here: the library still uses the client after this callback.
                Task { self.reconnect() }
            } else {
                retryLater()
            }
        }
    }

    private func wait(_ error: AvahiError) {
        guard outage != error else { return }
        outage = error
        for identifier in browses.keys {
            browses[identifier]?.rows.markStale()
            browses[identifier]?.sink.yield(.waiting(error))
        }
    }

    private func retryLater() {
        let delay = backoff.next()
        retry?.cancel()
        retry = Task { [weak self] in
            do { try await Task.sleep(for: delay) } catch { return }
            await self?.reconnect()
        }
    }

    private func reconnect() {
        guard !isClosed else { return }
        disconnect()
        if browses.isEmpty { outage = nil }
        connect()
    }

    /// Frees the client and with it every browser and resolver.
    private func disconnect() {
        if let connection { avahi_client_free(connection) }
        connection = nil
        link = .none
        for identifier in browses.keys { browses[identifier]?.handle = nil }
        resolvers.removeAll()
        contexts.removeAll()
        queue.removeAll()
        clientContext = nil
    }
}

import Foundation
package import HostInterface

/// The host: its devices, routes and sessions, driven by extensions and clients.
///
/// It owns no outside resource: processes, browsers, files, storage and D-Bus are behind ports. ``changes`` reports all
/// changes in order. A surface that answers a client only after a change is visible waits for ``published()``.
package actor MediaHost {
    let runner: any ExtensionRunner
    let discovery: any DiscoveryProvider
    let bluetooth: (any BluetoothPort)?
    let central: (any CentralProvider)?
    let announcer: (any AnnouncementPort)?
    let files: any MediaFileServer
    let samples: any SampleDeliveries
    let readers: (any MediaReaders)?
    let store: any StateStore
    /// A stable name of the network this machine is on now.
    let network: @Sendable () async -> String
    let clock: any Clock<Duration>
    let timing: HostTiming
    /// The closure that receives errors without a caller, such as storage failures or an extension's misbehavior.
    let report: @Sendable (HostError) -> Void

    var registry = DeviceRegistry()
    /// The merges of devices.
    var identities = DeviceIdentities()
    /// A Boolean value that indicates whether the merges were read. Unread ones are never overwritten.
    var areIdentitiesRead = false
    /// The order of writes. The last one stores the current state.
    let identityTurns = Turns()
    var identitySaving: Task<Void, Never>?
    var statuses: [String: ExtensionStatus] = [:]
    /// Generation of each extension's process that said hello and lives.
    var running: [String: Int] = [:]
    /// The needs for discovery by extension.
    var discovering: [String: DiscoveryNeed] = [:]
    let marks = Expectations<Int, Void>()
    var lastTicket = 0
    let launches = Expectations<String, Void>()

    var credentials = DeviceCredentials()
    var sightings = SightingQueue()

    /// Names people gave, by device, and devices they added.
    var ownNames: [String: String] = [:]
    var manual: [ManualDevice] = []
    var manualSearch: Task<Void, Never>?
    /// The callers that wait for an added device.
    let arrivals = Expectations<String, Void>()

    var leases = DiscoveryLeases()
    /// A Boolean value that indicates whether discovery runs: from the first lease until ``HostTiming/lingering`` after
    /// the last.
    var isLooking = false
    /// The task that ends the discovery.
    var lingering: Task<Void, Never>?
    /// The number of ended discoveries, by which earlier tasks detect an end.
    var looks = 0
    /// A Boolean value that indicates whether a discovery was complete once.
    var hasLooked = false
    /// The availability of the listed devices.
    var presence = DevicePresence()
    var checks = DeviceChecks()
    var services = ExtensionServices()
    var confirmation: Task<Void, Never>?
    /// The watched devices in use.
    var watches: [String: Watch] = [:]
    /// Devices in use that do not answer, and their extensions.
    var missing: [String: String] = [:]
    /// The waiting requests to devices in use that don't answer.
    var postponed: [String: WishQueue] = [:]
    /// Keyed by device: it answers again.
    let returns = Expectations<String, Void>()
    /// The task that completes a discovery after ``HostTiming/settling``.
    var settling: Task<Void, Never>?
    var bluetoothReach = BluetoothReach()
    var isSettled = false {
        didSet {
            guard isSettled != oldValue else { return }
            outbox.yield(.settled(isSettled))
            tellLeases()
        }
    }
    /// HTTPS servers of media, as `host:port`, whose certificates a person accepted without checks.
    package var certificateExceptions: Set<String> = []
    /// Extensions already reported for having more devices than the limit.
    var toldOverfull: Set<String> = []
    /// The current problems of discovery, by source: an extension or a kind of browser.
    var problems: [String: HostError] = [:] {
        didSet { if problems != oldValue { tellProblems() } }
    }
    /// The limits of a working discovery.
    var limits: [HostError] = [] {
        didSet { if limits != oldValue { tellProblems() } }
    }
    var followingLimits: Task<Void, Never>?
    var followingDoubts: Task<Void, Never>?

    /// Keyed by device.
    var routes: [String: Route] = [:]
    var activations: [String: Task<Void, any Error>] = [:]
    /// The routes that are being closed. New requests for their devices wait.
    var closings: [String: Task<Void, Never>] = [:]
    /// Keyed by device. Forgetting a device doesn't remove its wrong codes.
    var wrongCodes = WrongCodes()
    /// The time since the host was created.
    let uptime: @Sendable () -> Duration
    /// The routes of apps.
    var applicationRoutes = ApplicationRoutes() {
        didSet { if applicationRoutes.accepted != oldValue.accepted { tellApplicationRoutes() } }
    }
    var applications: (any ApplicationPort)?
    /// The turns of apps, whose events are sent one at a time.
    var turnsOfApplications: [String: Turns] = [:]
    /// The notifications of apps about ended routes.
    var farewells: [Int: Task<Void, Never>] = [:]
    var lastFarewell = 0
    let outcomes = Expectations<ActivationKey, ActivationOutcome>()
    /// The groups of devices, including those being activated.
    var groups = DeviceGroups()
    /// Keyed by session of the link.
    var groupLevels: [String: GroupLevel] = [:]

    var sessions: [String: HostSession] = [:]
    let starts = Expectations<String, Void>()
    /// The media that the host delivers as samples, keyed by session.
    var deliveredPlaybacks: [String: DeliveredPlayback] = [:]
    var lastSession = 0
    var lastGathering = 0

    /// The stored data for the adoption of sessions.
    var adoptable: [String: AdoptableSession] = [:]
    /// Devices that are being recovered.
    var recoveries: [String: OngoingRecovery] = [:]
    var lastRecovery = 0
    /// The ends of recoveries, successful or not, keyed by device.
    let settlements = Expectations<String, Void>()
    let wishes = Expectations<Int, Void>()
    var lastWish = 0
    var isPrepared = false
    package internal(set) var isHandingOver = false
    /// A Boolean value that indicates whether events of extensions are no longer handled.
    var isShuttingDown = false

    /// The changes for surfaces, in order, for one consumer.
    package nonisolated var changes: Batches<HostChange> { outbox.elements }
    // Unbounded: the consumer is the daemon's own publisher, which never blocks on a client.
    let outbox = Mailbox<HostChange>()

    private nonisolated let executor: any SerialExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - executor: The executor. With that of the surface, clients' calls arrive without a thread switch.
    ///   - network: A function that returns a stable name of the current network.
    ///   - report: A function that receives errors without a caller: storage failures, or an extension that misbehaves.
    package init(
        runner: any ExtensionRunner, discovery: any DiscoveryProvider, files: any MediaFileServer,
        samples: any SampleDeliveries, readers: (any MediaReaders)? = nil, store: any StateStore,
        bluetooth: (any BluetoothPort)? = nil,
        central: (any CentralProvider)? = nil,
        announcer: (any AnnouncementPort)? = nil, network: @escaping @Sendable () async -> String,
        clock: any Clock<Duration> = ContinuousClock(), timing: HostTiming = HostTiming(),
        executor: any SerialExecutor = HostQueue(), report: @escaping @Sendable (HostError) -> Void
    ) {
        self.runner = runner
        self.discovery = discovery
        self.bluetooth = bluetooth
        self.central = central
        self.announcer = announcer
        self.files = files
        self.samples = samples
        self.readers = readers
        self.store = store
        self.network = network
        self.clock = clock
        uptime = clock.stopwatch()
        self.timing = timing
        self.executor = executor
        self.report = report
    }

    /// Serves until cancelled; then ends every session, unless another daemon takes them up, and stops the extensions.
    package func run() async {
        await prepare()
        let events = runner.events
        await withTaskCancellationHandler {
            for await event in events { handle(event) }
        } onCancel: {
            events.cancel()
        }
        // A separate task: this one is cancelled by now, and extensions must still be notified of the end.
        await Task { await shutDown() }.value
    }

    /// Returns when everything changed so far was published.
    package func published() async {
        await withCheckedContinuation { outbox.yield(.barrier($0)) }
    }

    /// A Boolean value that indicates whether the host doesn't need the daemon: it has no lease and no route.
    package var isIdle: Bool { leases.isEmpty && routes.isEmpty && activations.isEmpty }

    /// The devices as people see them.
    package var devices: [HostDevice] {
        registry.all.filter { identities.merge(identities.entry(of: $0.id)) == nil }
            + identities.merged.compactMap { shown($0) }
    }
    package var liveSessions: [HostSession] { sessions.values.map(shown) }

    func shutDown() async {
        isShuttingDown = true
        confirmation?.cancel()
        settling?.cancel()
        followingLimits?.cancel()
        followingDoubts?.cancel()
        services.endAll()
        endChecks()
        lingering?.cancel()
        bluetoothReach.endAll()
        manualSearch?.cancel()
        if isHandingOver {
            for deviceID in Array(recoveries.keys) { endRecovery(deviceID) }
        } else {
            await endAllApplicationRoutes()
            for deviceID in Array(routes.keys) { await closeRoute(deviceID) }
        }
        await runner.stopAll()
        // Their readers would keep this daemon waiting. After the extensions, which would report the end of the samples.
        for playback in deliveredPlaybacks.values { playback.delivery.end() }
        await sightings.writing?.value
        await identitySaving?.value
        // Wait for a turn that has already begun.
        await identityTurns.take()
        await identityTurns.pass()
        outbox.finish()
    }

    private func tellProblems() { outbox.yield(.problems(Array(Set(problems.values)) + limits)) }

    func followLimits() {
        followingLimits = Task { [discovery] in
            for await found in await discovery.limits() { limits = found }
        }
    }

    func publish(_ change: DeviceRegistry.Change?) {
        switch change {
        case .added(let device), .updated(let device):
            if let shown = shown(identities.entry(of: device.id)) { outbox.yield(.device(shown)) }
        case .removed(let id):
            identities.gone(id)
            let entry = identities.entry(of: id)
            outbox.yield(shown(entry).map(HostChange.device) ?? .deviceRemoved(id: entry))
            endCheck(of: id)
        case nil: break
        }
    }

    /// Reports a session, on the device that people see.
    func publish(_ session: HostSession) {
        outbox.yield(.session(shown(session)))
        noteOccupant(session)
    }

    /// Returns the device with an extension's identifier, which can be a part of a merged one.
    func device(_ id: String) throws(HostError) -> HostDevice {
        guard let device = registry[id] else { throw Self.unknown(id) }
        return device
    }

    static func unknown(_ id: String) -> HostError { HostError(.noSuchDevice, "No device with the id \(id) is known.") }

    /// Waits until the extension's process said hello.
    func waitUntilRunning(_ identifier: String) async throws {
        if running[identifier] != nil { return }
        let name = statuses[identifier]?.name ?? identifier
        try await launches.outcome(
            identifier, within: timing.launch, clock: clock,
            late: HostError(.extensionCrashed, "The extension \(name) did not start in time."))
    }
}

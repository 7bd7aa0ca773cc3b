import Foundation
import HostInterface

/// The host: devices, routes and sessions, driven by supervised extensions and by what clients ask for.
///
/// It owns no outside resource: processes, browsers, files, storage and D-Bus are behind the ports it is made with. What
/// changes is told through ``changes``, in order; a surface that must answer a client only after the change is visible awaits
/// ``published()`` first.
package actor MediaHost {
    let runner: any ExtensionRunner
    let discovery: any DiscoveryProvider
    let bluetooth: (any BluetoothPort)?
    let central: (any CentralProvider)?
    let announcer: (any AnnouncementPort)?
    let files: any MediaFileServer
    let store: any StateStore
    /// A stable name of the network this machine is on now.
    let network: @Sendable () async -> String
    let clock: any Clock<Duration>
    let timing: HostTiming
    /// Told about what nobody waits for: storage failures, a misbehaving extension.
    let report: @Sendable (HostError) -> Void

    var registry = DeviceRegistry()
    /// Which of its devices are one to people.
    var identities = DeviceIdentities()
    /// Nothing is written over what could not be read.
    var areIdentitiesRead = false
    /// Stores it, one after the other: what is stored last is what is so.
    let identityTurns = Turns()
    var identitySaving: Task<Void, Never>?
    var statuses: [String: ExtensionStatus] = [:]
    /// Generation of each extension's process that said hello and lives.
    var running: [String: Int] = [:]
    /// What looks for devices, by extension.
    var discovering: [String: DiscoveryNeed] = [:]
    let marks = Expectations<Int, Void>()
    var lastTicket = 0
    let launches = Expectations<String, Void>()

    /// Identifiers of devices with a stored credential.
    var paired: Set<String> = []

    /// The last write of each device's secret until it is done: a pairing is acknowledged once it is durable.
    var credentialWrites: [String: CredentialWrite] = [:]
    var lastCredentialWrite = 0

    /// Devices found and not stored yet, and the task that stores them.
    var sightings: [CachedDevice] = []
    var stored = StoredSightings()
    var remembering: Task<Void, Never>?

    /// Names people gave, by device, and devices they added.
    var ownNames: [String: String] = [:]
    var manual: [ManualDevice] = []
    var manualSearch: Task<Void, Never>?
    /// Whoever waits for a device that was just added.
    let arrivals = Expectations<String, Void>()

    var leases: Set<String> = []
    /// Whether devices are looked for: from the first lease until ``HostTiming/lingering`` after the last.
    var isLooking = false
    /// Ends the look.
    var lingering: Task<Void, Never>?
    /// Times a look ended: what began before may find that nobody looks any more.
    var looks = 0
    /// Whether a look was complete once.
    var hasLooked = false
    /// Which listed devices are there, as far as is known.
    var presence = DevicePresence()
    /// Asks of one device each.
    var checks: [String: Task<Void, Never>] = [:]
    /// Ends the rounds of ``presence`` in time.
    var roundTimers: [Int: Task<Void, Never>] = [:]
    /// The leases that wait for them.
    var roundLeases: [Int: String] = [:]
    /// Ask devices again that did not answer.
    var recalls: [String: Task<Void, Never>] = [:]
    var browses: [BrowserKey: Task<Void, Never>] = [:]
    var bluetoothWork: [BrowserKey: BluetoothWork] = [:]
    var centralManagers: [BrowserKey: CentralManager] = [:]
    var announcements: [BrowserKey: Task<Void, Never>] = [:]
    var confirmation: Task<Void, Never>?
    /// Devices in use the host looks after.
    var watches: [String: Watch] = [:]
    /// Devices in use that do not answer, and their extensions.
    var missing: [String: String] = [:]
    /// What was asked of devices in use that do not answer.
    var postponed: [String: WishQueue] = [:]
    /// Keyed by device: it answers again.
    let returns = Expectations<String, Void>()
    /// Completes a look after ``HostTiming/settling``.
    var settling: Task<Void, Never>?
    var bluetoothLook = BluetoothLook.none
    /// Ends the validity of what Bluetooth found.
    var bluetoothAgeing: Task<Void, Never>?
    var isSettled = false {
        didSet {
            guard isSettled != oldValue else { return }
            outbox.yield(.settled(isSettled))
            tellLeases()
        }
    }
    /// HTTPS servers of media, as `host:port`, of which a person accepted any certificate.
    package var certificateExceptions: Set<String> = []
    /// Extensions of which it was told that they report more devices than are kept.
    var toldOverfull: Set<String> = []
    /// Leases for which everything that is remembered is listed.
    var listed: Set<String> = []
    var toldLeases: [String: Bool] = [:]
    /// What is in the way of discovery now, keyed by its source: an extension or a kind of browser.
    var problems: [String: HostError] = [:] {
        didSet { if problems != oldValue { tellProblems() } }
    }
    /// What discovery cannot show although it works.
    var limits: [HostError] = [] {
        didSet { if limits != oldValue { tellProblems() } }
    }
    var followingLimits: Task<Void, Never>?

    /// Keyed by device.
    var routes: [String: Route] = [:]
    var activations: [String: Task<Void, any Error>] = [:]
    /// Which app is routed to which device.
    var applicationRoutes = ApplicationRoutes()
    var applications: (any ApplicationPort)?
    /// Events of one app are told one after the other.
    var turnsOfApplications: [String: Turns] = [:]
    /// Apps that are being told of the end of a route.
    var farewells: [Int: Task<Void, Never>] = [:]
    var lastFarewell = 0
    let outcomes = Expectations<ActivationKey, ActivationOutcome>()
    /// Which devices are used together, those that are just being activated included.
    var groups = DeviceGroups()
    /// Keyed by session of the link.
    var groupLevels: [String: GroupLevel] = [:]

    var sessions: [String: HostSession] = [:]
    let starts = Expectations<String, Void>()
    var lastSession = 0
    var lastGathering = 0

    /// What is stored of sessions, by session.
    var adoptable: [String: AdoptableSession] = [:]
    /// Devices that are being taken up again.
    var recoveries: [String: OngoingRecovery] = [:]
    var lastRecovery = 0
    /// Keyed by device: taken up again or given up.
    let settlements = Expectations<String, Void>()
    let wishes = Expectations<Int, Void>()
    var lastWish = 0
    var isPrepared = false
    package internal(set) var isHandingOver = false

    /// Everything surfaces must show, in order; one consumer.
    package nonisolated var changes: Batches<HostChange> { outbox.elements }
    // Unbounded: the consumer is the daemon's own publisher, which never blocks on a client.
    let outbox = Mailbox<HostChange>()

    private nonisolated let executor: any SerialExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - executor: Where it runs: on that of the surface that serves clients, their calls get here without a detour.
    ///   - network: A stable name of the network this machine is on now.
    ///   - report: Told about what nobody waits for: storage failures, a misbehaving extension.
    package init(
        runner: any ExtensionRunner, discovery: any DiscoveryProvider, files: any MediaFileServer,
        store: any StateStore, bluetooth: (any BluetoothPort)? = nil, central: (any CentralProvider)? = nil,
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
        self.store = store
        self.network = network
        self.clock = clock
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
        // A task of its own: this one is cancelled by now, and extensions must still hear that it is over.
        await Task { await shutDown() }.value
    }

    /// Returns when everything changed so far was published.
    package func published() async {
        await withCheckedContinuation { outbox.yield(.barrier($0)) }
    }

    /// Whether nothing keeps the daemon alive from this side: no lease, no route.
    package var isIdle: Bool { leases.isEmpty && routes.isEmpty && activations.isEmpty }

    /// As people see them.
    package var devices: [HostDevice] {
        registry.all.filter { identities.merge(identities.entry(of: $0.id)) == nil }
            + identities.merged.compactMap { shown($0) }
    }
    package var liveSessions: [HostSession] { sessions.values.map(shown) }

    func shutDown() async {
        confirmation?.cancel()
        settling?.cancel()
        followingLimits?.cancel()
        for task in browses.values { task.cancel() }
        for work in bluetoothWork.values { work.task.cancel() }
        browses = [:]
        for manager in centralManagers.values { manager.end() }
        centralManagers = [:]
        for task in announcements.values { task.cancel() }
        announcements = [:]
        endChecks()
        lingering?.cancel()
        bluetoothAgeing?.cancel()
        manualSearch?.cancel()
        if isHandingOver {
            for deviceID in Array(recoveries.keys) { endRecovery(deviceID) }
        } else {
            await endAllApplicationRoutes()
            for deviceID in Array(routes.keys) { await closeRoute(deviceID) }
        }
        await runner.stopAll()
        await remembering?.value
        await identitySaving?.value
        // One that began already.
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

    /// Tells of a session, on the device that people see.
    func publish(_ session: HostSession) {
        outbox.yield(.session(shown(session)))
        noteOccupant(session)
    }

    /// What an extension knows by that identifier; a part, where several devices are one to people.
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

/// A secret that is being stored.
struct CredentialWrite {
    /// Tells it from the next of the same device.
    let number: Int
    let task: Task<Void, Never>
}

/// A browser, or what else an extension has a number for, of one process of one extension.
struct BrowserKey: Hashable {
    let identifier: String
    let generation: Int
    let browser: UInt32
}

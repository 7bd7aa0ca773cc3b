import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// The outside world of a host under test: it records the host's requests, and answers as the test's script says.
final class ScriptedRunner: ExtensionRunner {
    struct Record: Sendable {
        var calls: [ExtensionCall] = []
        var acquired: [String: Int] = [:]
        var acquisitions: [String: Int] = [:]
        var volume: (level: Double, isMuted: Bool) = (0.5, false)
        /// The volumes of devices that have one of their own.
        var volumes: [String: (level: Double, isMuted: Bool)] = [:]
        var failure: HostError?
        var status: ExtensionStatus
        var generation = 1

        mutating func obey(_ call: ExtensionCall) {
            switch call {
            case .setVolume(let device, let level): volumes[device]?.level = level
            case .muteDevice(let device): volumes[device]?.isMuted.toggle()
            default: break
            }
        }
    }

    let identifier: String
    var events: Batches<SupervisedEvent> { sink.elements }
    private let sink = Mailbox<SupervisedEvent>()
    private let record: Mutex<Record>
    private let script: @Sendable (ExtensionCall) -> [ExtensionMessage]
    private let starts: Bool
    private let acquiring: @Sendable () async -> Void

    /// - Parameters:
    ///   - protocolName: The name of its protocol; another name is another protocol.
    ///   - starts: A Boolean value that indicates whether the process connects when it is needed.
    ///   - announces: The service types that its manifest declares for announcing.
    ///   - browses: The service types that its manifest declares for browsing.
    ///   - acquiring: Runs whenever the extension is acquired.
    ///   - script: The extension's answers to a call.
    init(
        identifier: String = "org.example.test", protocolName: String = "Test", starts: Bool = true,
        announces: [String] = [], browses: [String] = [],
        supportsSimultaneousSessions: Bool? = nil, handlesRealtimeSamples: Bool? = nil,
        acquiring: @escaping @Sendable () async -> Void = {},
        script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage]
    ) {
        self.identifier = identifier
        self.starts = starts
        self.acquiring = acquiring
        self.script = script
        var status = ExtensionStatus(
            id: identifier, name: protocolName, protocolIdentifier: "org.example.protocol.\(protocolName)",
            protocolName: protocolName, path: "/nowhere", state: .idle)
        status.announcedServices = announces
        status.bonjourServices = browses
        status.supportsSimultaneousSessions = supportsSimultaneousSessions
        status.handlesRealtimeSamples = handlesRealtimeSamples
        record = Mutex(Record(status: status))
    }

    func statuses() async -> [ExtensionStatus] { [record.withLock { $0.status }] }

    func acquire(_ identifier: String, reason: String) async {
        await acquiring()
        let isFirst = record.withLock { record in
            record.acquired[reason, default: 0] += 1
            record.acquisitions[identifier, default: 0] += 1
            return record.acquired.values.reduce(0, +) == 1
        }
        if isFirst, starts { emit(.started) }
    }

    func release(_ identifier: String, reason: String) async {
        record.withLock { record in
            guard let count = record.acquired[reason] else { return }
            record.acquisitions[identifier] = record.acquisitions[identifier].flatMap { $0 > 1 ? $0 - 1 : nil }
            record.acquired[reason] = count > 1 ? count - 1 : nil
        }
    }

    func perform(_ call: ExtensionCall, on identifier: String) async throws {
        let failure = record.withLock { record in
            record.calls.append(call)
            if record.failure == nil { record.obey(call) }
            return record.failure
        }
        if let failure { throw failure }
        for message in script(call) { emit(.message(message)) }
    }

    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool) {
        record.withLock { $0.volumes[device] ?? $0.volume }
    }

    func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws {
        try changeStatus { $0.state = isEnabled ? .idle : .disabled }
    }

    func reload(_ identifier: String) async throws { try changeStatus { $0.generation += 1 } }
    func mark(_ ticket: Int) async { emit(.marked(ticket)) }

    func usage(of identifier: String) async throws -> ProcessUsage? { nil }
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine] { [] }
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch {
        ExtensionLogBatch(lines: [], skipped: 0)
    }
    func logNews(of identifier: String) async throws -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    private func changeStatus(_ change: (inout ExtensionStatus) -> Void) throws {
        if let failure = record.withLock({ $0.failure }) { throw failure }
        emit(
            .status(
                record.withLock { record in
                    change(&record.status)
                    return record.status
                }))
    }

    func stopAll() async { sink.finish() }

    /// - Parameter generation: The generation of the process; `nil` for the running one.
    func emit(_ event: ExtensionEvent, generation: Int? = nil) {
        let generation = generation ?? record.withLock(\.generation)
        sink.yield(SupervisedEvent(identifier: identifier, generation: generation, event: event))
    }

    /// The process dies: calls fail until ``restart()``.
    func crash(_ error: HostError = HostError(.extensionCrashed, "It died.")) {
        record.withLock { $0.failure = error }
        emit(.crashed(error))
    }

    /// The next process says hello.
    func restart() {
        record.withLock { record in
            record.failure = nil
            record.generation += 1
        }
        emit(.started)
    }

    /// Reports that it crashed too often and isn't restarted automatically.
    func quarantine() async {
        record.withLock { $0.status.state = .quarantined }
        for status in await statuses() { emit(.status(status)) }
    }

    /// Makes all further requests fail; `nil` ends that.
    func fail(_ error: HostError?) { record.withLock { $0.failure = error } }

    func setVolume(_ volume: (level: Double, isMuted: Bool)) { record.withLock { $0.volume = volume } }
    func setVolume(_ volume: (level: Double, isMuted: Bool), device: String) {
        record.withLock { $0.volumes[device] = volume }
    }

    var calls: [ExtensionCall] { record.withLock { $0.calls } }
    /// The number of current acquisitions of each extension.
    var acquisitions: [String: Int] { record.withLock { $0.acquisitions } }
    /// Reasons that keep the process alive now.
    var reasons: Set<String> { Set(record.withLock { $0.acquired.keys }) }
}

/// Several extensions, each by its own script.
final class ScriptedRunners: ExtensionRunner {
    var events: Batches<SupervisedEvent> { sink.elements }
    private let sink = Mailbox<SupervisedEvent>()
    private let all: [ScriptedRunner]

    init(_ all: [ScriptedRunner]) {
        self.all = all
        Task { [sink] in
            await withDiscardingTaskGroup { group in
                for one in all { group.addTask { for await event in one.events { sink.yield(event) } } }
            }
            sink.finish()
        }
    }

    private subscript(identifier: String) -> ScriptedRunner { all.first { $0.identifier == identifier } ?? all[0] }

    func statuses() async -> [ExtensionStatus] {
        var statuses: [ExtensionStatus] = []
        for one in all { statuses += await one.statuses() }
        return statuses
    }
    func acquire(_ identifier: String, reason: String) async {
        await self[identifier].acquire(identifier, reason: reason)
    }
    func release(_ identifier: String, reason: String) async {
        await self[identifier].release(identifier, reason: reason)
    }
    func perform(_ call: ExtensionCall, on identifier: String) async throws {
        try await self[identifier].perform(call, on: identifier)
    }
    func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws {
        try await self[identifier].setEnabled(isEnabled, identifier)
    }
    func reload(_ identifier: String) async throws { try await self[identifier].reload(identifier) }
    func mark(_ ticket: Int) async { await all[0].mark(ticket) }
    func usage(of identifier: String) async throws -> ProcessUsage? { nil }
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine] { [] }
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch {
        ExtensionLogBatch(lines: [], skipped: 0)
    }
    func logNews(of identifier: String) async throws -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool) {
        try await self[identifier].volume(of: device, on: identifier)
    }
    func stopAll() async { for one in all { await one.stopAll() } }
}

struct SilentDiscovery: DiscoveryProvider {
    func browse(_ request: BrowseRequest) async -> AsyncStream<[BrowseEvent]> { AsyncStream { $0.finish() } }
    func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
    func confirm(_ endpoints: [String]) async -> Bool? { nil }
    func doubts() async -> AsyncStream<[String]> { AsyncStream { $0.finish() } }
    func search(_ address: ManualAddress, for kinds: [DeclaredKind]) async throws(HostError) -> [ManualDevice.Finding] {
        throw HostError(.unreachable, "Nothing answers.")
    }
    func setManual(_ findings: [ManualDevice.Finding]) async {}
    func limits() async -> AsyncStream<[HostError]> { AsyncStream { $0.finish() } }
}

final class RecordingFiles: MediaFileServer {
    let served = Mutex<[ServedFile]>([])
    let resumed = Mutex<[ServedFile]>([])
    let withdrawn = Mutex<[ServedFile]>([])
    /// The addresses that may fetch each file.
    let admitted = Mutex<[String: [String]]>([:])
    let failure = Mutex<HostError?>(nil)

    func serve(_ file: URL, to deviceAddresses: [String]) async throws -> ServedFile {
        let file = ServedFile(
            id: UUID().uuidString, url: URL(string: "http://10.0.0.1:8200/token/\(file.lastPathComponent)")!,
            contentType: "audio/mpeg")
        served.withLock { $0.append(file) }
        admitted.withLock { $0[file.id] = deviceAddresses }
        return file
    }

    func serve(
        _ stream: OpenStream, as format: DeviceDescription.LiveFormat, to deviceAddresses: [String]
    ) async throws -> ServedFile {
        if let failure = failure.withLock({ $0 }) { throw failure }
        let file = ServedFile(
            id: UUID().uuidString, url: URL(string: "http://10.0.0.1:8200/token/stream.wav")!, contentType: "audio/wav")
        served.withLock { $0.append(file) }
        admitted.withLock { $0[file.id] = deviceAddresses }
        return file
    }

    func admit(_ deviceAddresses: [String], to file: ServedFile) async {
        admitted.withLock { $0[file.id, default: []] += deviceAddresses }
    }

    func resume(_ file: ServedFile, of source: URL, to deviceAddresses: [String]) async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        resumed.withLock { $0.append(file) }
    }

    func withdraw(_ file: ServedFile) async { withdrawn.withLock { $0.append(file) } }
}

final class MemoryStore: StateStore {
    let devices = Mutex<[String: [CachedDevice]]>([:])
    private let written = Mutex<[String]>([])
    let credentials = Mutex<[String: Data]>([:])
    let disabled = Mutex<Set<String>>([])
    let names = Mutex<[String: String]>([:])
    let pauses = Mutex(false)
    let manual = Mutex<[ManualDevice]>([])
    let sessions = Mutex<[AdoptableSession]>([])
    let one = Mutex(StoredIdentities())
    let failure = Mutex<HostError?>(nil)
    let exceptions = Mutex<Set<String>>([])
    /// Runs before each secret is stored.
    private let storing: @Sendable () async -> Void

    init(storing: @escaping @Sendable () async -> Void = {}) { self.storing = storing }

    func disabledExtensions() async throws -> Set<String> { disabled.withLock { $0 } }
    func setExtension(_ identifier: String, isEnabled: Bool) async throws {
        disabled.withLock { if isEnabled { $0.remove(identifier) } else { $0.insert(identifier) } }
    }
    var paired: [String: Data] { credentials.withLock { $0 } }
    /// Names of the devices that were stored, as often as they were.
    var writes: [String] { written.withLock { $0 } }
    var remembered: [CachedDevice] { devices.withLock { $0["home"] ?? [] } }

    func cachedDevices(network: String) async throws -> [CachedDevice] { devices.withLock { $0[network] ?? [] } }
    func remember(_ device: CachedDevice, network: String) async throws {
        written.withLock { $0.append(device.description.name) }
        devices.withLock { devices in
            devices[network, default: []].removeAll { $0.description.id == device.description.id }
            devices[network, default: []].insert(device, at: 0)
        }
    }
    func certificateExceptions() async throws -> Set<String> { exceptions.withLock { $0 } }
    func setCertificateExceptions(_ servers: Set<String>) async throws { exceptions.withLock { $0 = servers } }
    func forgetCachedDevices(exceptOf extensions: Set<String>) async throws {
        devices.withLock { devices in
            for network in devices.keys {
                devices[network]?.removeAll { !extensions.contains($0.extensionIdentifier) }
            }
        }
    }
    func forgetCachedDevice(id: String) async throws {
        devices.withLock { devices in
            for network in devices.keys { devices[network]?.removeAll { $0.description.id == id } }
        }
    }
    func pairedDevices() async throws -> Set<String> { Set(credentials.withLock { $0.keys }) }
    func credential(device: String) async throws -> Data? { credentials.withLock { $0[device] } }
    func adoptableSessions() async throws -> [AdoptableSession] { sessions.withLock { $0 } }
    func keep(_ session: AdoptableSession) async throws {
        sessions.withLock { sessions in
            if let index = sessions.firstIndex(where: { $0.id == session.id }) {
                sessions[index] = session
            } else {
                sessions.append(session)
            }
        }
    }
    func dropSession(id: String) async throws { sessions.withLock { $0.removeAll { $0.id == id } } }
    let routes = Mutex<[ApplicationRoute]>([])
    func applicationRoutes() async throws -> [ApplicationRoute] { routes.withLock { $0 } }
    func keep(_ route: ApplicationRoute) async throws { routes.withLock { $0.append(route) } }
    func dropApplicationRoute(id: String) async throws { routes.withLock { $0.removeAll { $0.id == id } } }
    func pausesOthers() async throws -> Bool { pauses.withLock { $0 } }
    func setPausesOthers(_ value: Bool) async throws { pauses.withLock { $0 = value } }
    func ownNames() async throws -> [String: String] { names.withLock { $0 } }
    func setOwnName(_ name: String?, device: String) async throws { names.withLock { $0[device] = name } }
    func manualDevices() async throws -> [ManualDevice] { manual.withLock { $0 } }
    func setManualDevices(_ devices: [ManualDevice]) async throws { manual.withLock { $0 = devices } }
    func identities() async throws -> StoredIdentities {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return one.withLock { $0 }
    }
    func setIdentities(_ identities: StoredIdentities) async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        one.withLock { $0 = identities }
    }
    func setCredential(_ secret: Data?, device: String) async throws {
        await storing()
        credentials.withLock { $0[device] = secret }
    }
}

/// A running host with its scripted world, and the changes it has published.
final class HostUnderTest: Sendable {
    let host: MediaHost
    let runner: ScriptedRunner
    let files = RecordingFiles()
    let samples = RecordingDeliveries()
    let store: MemoryStore
    let published = Mutex<[HostChange]>([])
    /// Told of every change as well.
    let follower = Mutex<(@Sendable (HostChange) -> Void)?>(nil)
    private let tasks: Mutex<[Task<Void, Never>]>

    init(
        _ runner: ScriptedRunner, others: [ScriptedRunner] = [],
        discovery: any DiscoveryProvider = SilentDiscovery(), bluetooth: (any BluetoothPort)? = nil,
        readers: (any MediaReaders)? = nil, announcer: (any AnnouncementPort)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), timing: HostTiming = .withoutLingering,
        store: MemoryStore = MemoryStore()
    ) {
        self.runner = runner
        self.store = store
        let host = MediaHost(
            runner: others.isEmpty ? runner : ScriptedRunners([runner] + others), discovery: discovery, files: files,
            samples: samples, readers: readers, store: store, bluetooth: bluetooth, announcer: announcer,
            network: { "home" }, clock: clock,
            timing: timing, report: { _ in })
        self.host = host
        tasks = Mutex([])
        tasks.withLock { tasks in
            tasks.append(Task { await host.run() })
            tasks.append(
                Task { [weak self] in
                    for await change in host.changes {
                        self?.follower.withLock { $0 }?(change)
                        if case .barrier(let continuation) = change { continuation.resume() }
                        self?.published.withLock { $0.append(change) }
                    }
                })
        }
    }

    /// Ends the host and waits for its end.
    func finish() async {
        let tasks = tasks.withLock { $0 }
        tasks[0].cancel()
        for task in tasks { await task.value }
    }

    /// Every state a session was published in, without repetitions.
    func states(of session: String) async -> [HostSession.State] {
        await host.published()
        return published.withLock { changes in
            changes.compactMap { if case .session(let it) = $0, it.id == session { it.state } else { nil } }
        }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// Waits until a session has ended.
    ///
    /// - Returns: The way in which it was published to have ended.
    func lastEnding(of session: String) async -> SessionEnding? {
        await until { await $0.liveSessions.isEmpty }
        await host.published()
        return published.withLock { changes in
            changes.compactMap { if case .session(let it) = $0, it.id == session { it } else { nil } }.last?.ending
        }
    }

    /// Waits until `condition` is true; suite time limits bound it.
    func until(_ condition: (MediaHost) async -> Bool) async {
        while await !condition(host) { await Task.yield() }
    }

    static let device = DeviceDescription(
        id: "11111111-2222-3333-4444-555555555555", name: "Living Room", capabilities: [.urlPlayback], type: "tv",
        volumeControl: .absolute, canMute: true, canGroup: false, supportsSimultaneousSessions: false,
        endpoints: ["10.0.0.5:1400"], txt: [:])

    /// Looks around until the test device is there.
    func discover(_ device: DeviceDescription = HostUnderTest.device) async {
        await host.takeLease("test")
        runner.emit(.message(.foundDevice(device)))
        await until { await $0.devices.contains { $0.id == Self.device.id && $0.availability == .ready } }
    }
}

extension HostTiming {
    /// Timing that ends discovery together with the last lease.
    static var withoutLingering: HostTiming {
        var timing = HostTiming()
        timing.lingering = .zero
        return timing
    }
}

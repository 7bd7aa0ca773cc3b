import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

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

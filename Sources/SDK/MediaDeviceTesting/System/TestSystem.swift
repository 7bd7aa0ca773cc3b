import DeviceDiscovery
import Foundation
import HostInterface
import MediaDevice

/// The system as a test plays it: runs an extension in this process, without a daemon, a link or a network.
///
/// ```swift
/// let system = TestSystem(KitchenExtension())
/// system.network.announce("Radio", type: "_kitchen._tcp")
/// system.startDiscovery()
/// let device = try await system.foundDevice()
///
/// let session = system.activate(device)
/// try await session.activated()
/// session.start(URL(string: "http://192.0.2.9/song.mp3")!)
/// try await session.started()
/// try session.perform(.pause)
/// #expect(session.control?.isPlaying == false)
/// ```
///
/// Requests reach the extension as the real host's do, with the same checks; what it reports is in ``reports``. Several
/// systems may run at a time. Waits end after ``patience`` with ``TestSystemError/waitedInVain(_:reports:)``.
@MainActor
public final class TestSystem<Extension: MediaDeviceExtension> {
    /// The extension that runs.
    public let `extension`: Extension
    /// What its browsers find.
    public let network = TestNetwork()
    /// How long a wait goes on before it fails, in real time.
    public var patience = Duration.seconds(10)

    let manager: MediaDeviceRoutingManager
    private let log = ReportLog()
    private let slot = DiscoverySourceSlot()
    private let handler: ExtensionRequestHandler
    private var credentials: [MediaOutputDevice.ID: Data] = [:]
    /// How many reports there were when a device was forgotten: what they stored does not count any more.
    private var forgotten: [MediaOutputDevice.ID: Int] = [:]
    private var lastSession = 0

    /// Runs an extension.
    ///
    /// - Parameters:
    ///   - makeExtension: Made within this system, so that it may browse in its `init()` already.
    ///   - hostName: What the extension sees as the machine's name.
    ///   - stateDirectory: The folder it may write to.
    public init(
        _ makeExtension: @autoclosure () -> Extension, hostName: String = "test", stateDirectory: URL? = nil
    ) {
        slot.install(network)
        let made = DiscoverySources.$shared.withValue(slot) { makeExtension() }
        `extension` = made
        manager = MediaDeviceRoutingManager.routingManager(for: made)
        manager.hostName = hostName
        manager.stateDirectory = stateDirectory
        handler = ExtensionRequestHandler(extension: made, manager: manager)
        manager.connect(
            to: HostOutbox { [log] message in
                if let report = ExtensionReport(message) { log.add(report) }
            }
        ) { ExtensionRequestHandler.readVolume(of: $0, from: made) }
    }

    // MARK: What the extension told

    /// Everything reported so far, in order.
    public var reports: [ExtensionReport] { log.reports }

    /// The devices there are now: found, and not lost.
    public var devices: [MediaOutputDevice] {
        var devices: [MediaOutputDevice.ID: MediaOutputDevice] = [:]
        for report in reports {
            switch report {
            case .found(let device): devices[device.id] = device
            case .updated(let updated): for device in updated { devices[device.id] = device }
            case .lost(let id): devices[id] = nil
            default: break
            }
        }
        return devices.values.sorted { ($0.displayName, $0.id.uuidString) < ($1.displayName, $1.id.uuidString) }
    }

    /// Waits for a report.
    ///
    /// Reports are passed in order: one that was waited for before, and those before it, are not seen again.
    ///
    /// - Parameters:
    ///   - what: Said when it is waited for in vain.
    ///   - fits: Whether a report is the one.
    /// - Throws: ``TestSystemError/waitedInVain(_:reports:)``.
    @discardableResult
    public func report(
        _ what: String, where fits: @escaping @Sendable (ExtensionReport) -> Bool
    ) async throws -> ExtensionReport {
        let limit = patience
        let report = await withTaskGroup(of: ExtensionReport?.self) { [log] group in
            group.addTask { await log.next(fits) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let report else { throw TestSystemError.waitedInVain(what, reports: reports) }
        return report
    }

    /// Waits for a device to be found.
    public func foundDevice(named name: String? = nil) async throws -> MediaOutputDevice {
        let report = try await report("a device") {
            if case .found(let device) = $0 { name == nil || device.displayName == name } else { false }
        }
        guard case .found(let device) = report else { throw TestSystemError.waitedInVain("a device", reports: reports) }
        return device
    }

    // MARK: What the system does

    /// Somebody looks for devices.
    public func startDiscovery() { try? perform(.startDeviceDiscovery) }

    /// Nobody looks any more.
    public func stopDiscovery() { try? perform(.stopDeviceDiscovery) }

    /// A person picks the device. What the extension stored for it, here or with ``setCredential(_:for:)``, is at hand.
    ///
    /// - Returns: The session, whose ``TestSession/activated()`` and ``TestSession/pairingRequest()`` wait for the answer.
    public func activate(
        _ device: MediaOutputDevice, for capabilities: MediaOutputDevice.Capabilities = .urlPlayback
    ) -> TestSession<Extension> {
        lastSession += 1
        let session = TestSession(id: "session-\(lastSession)", device: device.id, system: self)
        try? perform(
            .activate(
                device.onLink, session: session.id, capabilities: capabilities.rawValue,
                credential: credential(for: device)))
        return session
    }

    /// A person has the device used together with what a session is used for: it is activated in the same one.
    ///
    /// - Returns: The same session, seen from this device: it waits for the device's own activation, and lets go of it alone.
    public func activate(
        _ device: MediaOutputDevice, joining session: TestSession<Extension>,
        for capabilities: MediaOutputDevice.Capabilities = .urlPlayback
    ) -> TestSession<Extension> {
        try? perform(
            .activate(
                device.onLink, session: session.id, capabilities: capabilities.rawValue,
                credential: credential(for: device)))
        return TestSession(id: session.id, device: device.id, system: self)
    }

    /// What is stored for the device.
    public func credential(for device: MediaOutputDevice) -> Data? {
        for case .credentialStored(device.id, let secret) in reports[forgotten[device.id, default: 0]...].reversed() {
            return secret
        }
        return credentials[device.id]
    }

    /// Stores something for the device, as an earlier run would have.
    public func setCredential(_ secret: Data, for device: MediaOutputDevice) { credentials[device.id] = secret }

    /// A person has the device forgotten: nothing is stored for it any more. Sessions that use it are to be deactivated
    /// before, as the system does.
    public func forget(_ device: MediaOutputDevice) {
        credentials[device.id] = nil
        forgotten[device.id] = reports.count
    }

    /// Sets the level, `0.0...1.0`, of a device with absolute volume.
    ///
    /// - Throws: ``ReportedError``, where the system would not ask the extension.
    public func setVolume(_ level: Float, for device: MediaOutputDevice) throws {
        try perform(.setVolume(device: device.id, level: min(1, max(0, level))))
    }

    /// Changes the level of a device with relative volume.
    ///
    /// - Throws: ``ReportedError``, where the system would not ask the extension.
    public func changeVolume(by increments: Int, for device: MediaOutputDevice) throws {
        try perform(.changeVolume(device: device.id, increments: increments))
    }

    /// Mutes the device, or unmutes it.
    ///
    /// - Throws: ``ReportedError``, where the system would not ask the extension.
    public func toggleMute(of device: MediaOutputDevice) throws { try perform(.muteDevice(device: device.id)) }

    /// The level, `nil` where the device has no absolute volume, and whether it is muted: as the extension says now.
    public func volume(of device: MediaOutputDevice) -> (level: Double?, isMuted: Bool) {
        let reading = ExtensionRequestHandler.readVolume(of: device, from: `extension`)
        return (reading.level, reading.isMuted)
    }

    func perform(_ request: ExtensionRequest) throws {
        do {
            _ = try DiscoverySources.$shared.withValue(slot) { try handler.perform(request) }
        } catch let error as HostError {
            throw ReportedError(error)
        }
    }
}

/// Why a test system cannot go on.
public enum TestSystemError: Error, Sendable, CustomStringConvertible {
    /// Nothing of the kind was reported; these were.
    case waitedInVain(String, reports: [ExtensionReport])

    public var description: String {
        switch self {
        case .waitedInVain(let what, let reports):
            "waited in vain for \(what); reported: \(reports.map { "\($0)" }.joined(separator: ", "))"
        }
    }
}

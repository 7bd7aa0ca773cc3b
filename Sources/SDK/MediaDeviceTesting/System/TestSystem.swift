public import DeviceDiscovery
import Foundation
import HostInterface
import LinkProtocol
public import MediaDevice

/// A simulated system that runs an extension in the test's process, without a daemon, a link or a network.
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
/// Requests reach the extension as from the real host, with the same checks. Its reports are in ``reports``. Several
/// systems can run at a time. Waits fail after ``patience`` with ``TestSystemError/waitedInVain(_:reports:)``.
@MainActor
public final class TestSystem<Extension: MediaDeviceExtension> {
    /// The running extension.
    public let `extension`: Extension
    /// The network that the extension's browsers see.
    public let network = TestNetwork()
    /// The time limit of a wait, in real time.
    public var patience = Duration.seconds(10)

    let manager: MediaDeviceRoutingManager
    /// The readers of media.
    package let mediaReaders = TestMediaReaders()
    private let log = ReportLog()
    private let slot = DiscoverySourceSlot()
    private let handler: ExtensionRequestHandler
    private var credentials: [MediaOutputDevice.ID: Data] = [:]
    /// The number of reports at the time a device was forgotten. Secrets stored earlier don't count.
    private var forgotten: [MediaOutputDevice.ID: Int] = [:]
    private var lastSession = 0

    /// Creates a system and runs an extension.
    ///
    /// - Parameters:
    ///   - makeExtension: The extension. It is created within this system, so its `init()` can already browse.
    ///   - hostName: The computer's name that the extension sees.
    ///   - stateDirectory: The folder in which it may write; `nil` for none.
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
            to: HostOutbox { [log, mediaReaders] message in
                if case .readMedia(let session, let socket) = message { mediaReaders.start(session, socket) }
                if let report = ExtensionReport(message) { log.add(report) }
            }
        ) { ExtensionRequestHandler.readVolume(of: $0, from: made) }
    }

    // MARK: Reports of the extension

    /// All reports so far, in order.
    public var reports: [ExtensionReport] { log.reports }

    /// The devices that were discovered and not lost.
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
    /// Waits pass reports in order: a report that an earlier wait returned, and those before it, aren't considered
    /// again.
    ///
    /// - Parameters:
    ///   - what: The description of the report, for the error.
    ///   - fits: A closure that returns `true` for the expected report.
    /// - Throws: ``TestSystemError/waitedInVain(_:reports:)``
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

    /// Waits for the discovery of a device.
    public func foundDevice(named name: String? = nil) async throws -> MediaOutputDevice {
        let report = try await report("a device") {
            if case .found(let device) = $0 { name == nil || device.displayName == name } else { false }
        }
        guard case .found(let device) = report else { throw TestSystemError.waitedInVain("a device", reports: reports) }
        return device
    }

    // MARK: Actions of the system

    /// Starts the discovery of devices.
    public func startDiscovery() { try? perform(.startDeviceDiscovery) }

    /// Stops the discovery of devices.
    public func stopDiscovery() { try? perform(.stopDeviceDiscovery) }

    /// Activates a device, as if a person picked it. Secrets stored by the extension or by ``setCredential(_:for:)``
    /// are available.
    ///
    /// - Returns: The session. Wait for the result with ``TestSession/activated()`` or
    ///   ``TestSession/pairingRequest()``.
    public func activate(
        _ device: MediaOutputDevice, for capabilities: MediaOutputDevice.Capabilities = .urlPlayback
    ) -> TestSession<Extension> {
        lastSession += 1
        let session = TestSession(id: "session-\(lastSession)", device: device.id, system: self)
        try? perform(
            .activate(
                device.onLink, session: session.id, capabilities: .init(rawValue: capabilities.rawValue),
                credential: credential(for: device)))
        return session
    }

    /// Activates a device in an existing session, as if a person added it to the devices in use.
    ///
    /// - Returns: The same session for this device. It waits for the device's own activation and deactivates only this
    ///   device.
    public func activate(
        _ device: MediaOutputDevice, joining session: TestSession<Extension>,
        for capabilities: MediaOutputDevice.Capabilities = .urlPlayback
    ) -> TestSession<Extension> {
        try? perform(
            .activate(
                device.onLink, session: session.id, capabilities: .init(rawValue: capabilities.rawValue),
                credential: credential(for: device)))
        return TestSession(id: session.id, device: device.id, system: self)
    }

    /// Returns the stored secret of a device; `nil` if there is none.
    public func credential(for device: MediaOutputDevice) -> Data? {
        for case .credentialStored(device.id, let secret) in reports[forgotten[device.id, default: 0]...].reversed() {
            return secret
        }
        return credentials[device.id]
    }

    /// Stores the secret of a device, as an earlier run would have.
    public func setCredential(_ secret: Data, for device: MediaOutputDevice) { credentials[device.id] = secret }

    /// Forgets a device and its secret, as if a person did. Deactivate its sessions first, as the real system does.
    public func forget(_ device: MediaOutputDevice) {
        credentials[device.id] = nil
        forgotten[device.id] = reports.count
    }

    /// Sets the volume, `0.0...1.0`, of a device with absolute volume.
    ///
    /// - Throws: ``ReportedError`` if the real system wouldn't call the extension.
    public func setVolume(_ level: Float, for device: MediaOutputDevice) throws {
        try perform(.setVolume(device: device.id.uuidString, level: Double(min(1, max(0, level)))))
    }

    /// Changes the volume of a device with relative volume.
    ///
    /// - Throws: ``ReportedError`` if the real system wouldn't call the extension.
    public func changeVolume(by increments: Int, for device: MediaOutputDevice) throws {
        try perform(.changeVolume(device: device.id.uuidString, increments: Int32(clamping: increments)))
    }

    /// Mutes or unmutes a device.
    ///
    /// - Throws: ``ReportedError`` if the real system wouldn't call the extension.
    public func toggleMute(of device: MediaOutputDevice) throws {
        try perform(.muteDevice(device: device.id.uuidString))
    }

    /// Returns the current volume and mute state that the extension reports; the volume is `nil` if it isn't absolute.
    public func volume(of device: MediaOutputDevice) -> (level: Double?, isMuted: Bool) {
        let reading = ExtensionRequestHandler.readVolume(of: device, from: `extension`)
        return (reading.level, reading.isMuted)
    }

    func perform(_ request: ExtensionCall) throws {
        do {
            _ = try DiscoverySources.$shared.withValue(slot) { try handler.perform(request) }
        } catch let error as HostError {
            throw ReportedError(error)
        }
    }
}

/// An error of a test system.
public enum TestSystemError: Error, Sendable, CustomStringConvertible {
    /// The expected report didn't arrive; these did.
    case waitedInVain(String, reports: [ExtensionReport])

    /// The error as one sentence, with the reports.
    public var description: String {
        switch self {
        case .waitedInVain(let what, let reports):
            "timed out waiting for \(what); reported: \(reports.map { "\($0)" }.joined(separator: ", "))"
        }
    }
}

import Foundation
import HostInterface
import PlaybackMirroring

/// What an extension reports to: devices, outcomes, playback and data.
///
/// Reports may be made at any time after the extension's `init()` began; those made before the host answered are
/// delivered, in order, when it does.
@MainActor
public final class MediaDeviceRoutingManager: Sendable {
    package let devices: DeviceTable
    package let sessions: SessionTable
    private var outbox: HostOutbox?
    private var undelivered: [HostMessage] = []
    private var readVolume: (@MainActor (MediaOutputDevice) -> VolumeReading)?
    private var changedVolumes: [MediaOutputDevice] = []

    /// The folder the extension may write to; `nil` until the host answered, and without a host. Only on Linux.
    public package(set) var stateDirectory: URL?

    /// This machine's name, for devices that show who connects; `nil` until the host answered. Only on Linux.
    public package(set) var hostName: String?

    init() {
        let devices = DeviceTable()
        self.devices = devices
        sessions = SessionTable(devices: devices)
    }

    /// The manager of an extension: the same one every time.
    public static func routingManager(for extension: any MediaDeviceExtension) -> MediaDeviceRoutingManager {
        RoutingManagers.manager(for: `extension`)
    }

    // MARK: The link

    /// Sends what was reported so far, and from now on everything.
    package func connect(
        to outbox: HostOutbox, readVolume: @escaping @MainActor (MediaOutputDevice) -> VolumeReading
    ) {
        self.outbox = outbox
        self.readVolume = readVolume
        for message in undelivered { outbox.post(message) }
        undelivered = []
    }

    /// Reports go nowhere from now on; ends every observation.
    package func disconnect() {
        outbox?.finish()
        readVolume = nil
        sessions.removeAll()
    }

    func report(_ message: HostMessage) {
        if let outbox { outbox.post(message) } else { undelivered.append(message) }
    }

    // MARK: Discovery

    /// Reports a device that was found, or seen again.
    public func foundDevice(_ device: MediaOutputDevice) {
        devices.found([device])
        report(.foundDevice(device.onLink))
    }

    /// Reports that the state of these devices changed, e.g. their names or groups; others stay as they are.
    public func updateDevices(_ devices: [MediaOutputDevice]) {
        self.devices.found(devices)
        var rest = devices[...]
        repeat {
            report(.updateDevices(rest.prefix(Self.longestUpdate).map(\.onLink)))
            rest = rest.dropFirst(Self.longestUpdate)
        } while !rest.isEmpty
    }

    /// The host refuses longer ones.
    private static let longestUpdate = 500

    /// Reports that a device is gone: it leaves the lists. That ends nothing: for one that is active,
    /// ``failedToActivateDevice(_:session:error:)`` comes first, unless it works on, as one that announces nothing while it plays.
    public func lostDevice(_ device: MediaOutputDevice) {
        devices.lost(device.id)
        report(.lostDevice(device.id.uuidString))
    }

    /// Reports that devices cannot be looked for at all; not that none was found.
    public func discoveryFailed(_ error: MediaDeviceError) { report(.discoveryFailed(error.asHostError)) }

    // MARK: Volume

    /// Reports a change of level or mute that the host did not ask for.
    ///
    /// The new values are read by ``MediaDeviceExtension/volume(for:)`` and ``MediaDeviceExtension/isDeviceMuted(_:)``
    /// in the next turn of the main actor, once for all changes of this turn.
    public func volumeChanged(for device: MediaOutputDevice) {
        // Not at once: an author may report from within a change of the very property that the reading needs.
        if changedVolumes.isEmpty {
            Task { self.reportChangedVolumes() }
        }
        if !changedVolumes.contains(device) { changedVolumes.append(device) }
    }

    private func reportChangedVolumes() {
        let changed = changedVolumes
        changedVolumes = []
        guard let readVolume else { return }
        for device in changed {
            let reading = readVolume(devices.current(device.id) ?? device)
            report(
                .volumeChanged(device: device.id.uuidString, level: reading.level, isMuted: reading.isMuted))
        }
    }
}

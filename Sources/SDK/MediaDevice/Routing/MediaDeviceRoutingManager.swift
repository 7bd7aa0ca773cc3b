public import Foundation
import HostInterface
package import LinkProtocol
import MediaReading
import PlaybackMirroring

/// The object to which an extension reports devices, results, playback and data.
///
/// Reports may be made at any time after the extension's `init()` began. Those made before the host answered are
/// delivered in order when it does.
@MainActor
public final class MediaDeviceRoutingManager: Sendable {
    package let devices: DeviceTable
    package let sessions: SessionTable
    private var outbox: HostOutbox?
    private var undelivered: [ExtensionMessage] = []
    private var readVolume: (@MainActor (MediaOutputDevice) -> VolumeReading)?
    private var changedVolumes: [MediaOutputDevice] = []

    /// The folder in which the extension may write; `nil` until the host answers, and without a host. Available on
    /// Linux only.
    public package(set) var stateDirectory: URL?

    /// The name of this computer, for devices that show who connects; `nil` until the host answers. Available on Linux
    /// only.
    public package(set) var hostName: String?

    init() {
        let devices = DeviceTable()
        self.devices = devices
        sessions = SessionTable(devices: devices)
    }

    /// Returns the manager of an extension, always the same one.
    public static func routingManager(for extension: any MediaDeviceExtension) -> MediaDeviceRoutingManager {
        RoutingManagers.manager(for: `extension`)
    }

    // MARK: The link

    /// Connects the manager to the host, and sends the reports made so far.
    package func connect(
        to outbox: HostOutbox, readVolume: @escaping @MainActor (MediaOutputDevice) -> VolumeReading
    ) {
        self.outbox = outbox
        sessions.readers = { session in
            MediaReaderSource { socket in
                outbox.post(.readMedia(session: session, socket: ReaderSocket(received: socket)))
            }
        }
        self.readVolume = readVolume
        for message in undelivered { outbox.post(message) }
        undelivered = []
    }

    /// Disconnects the manager: later reports are discarded, and all observation ends.
    package func disconnect() {
        outbox?.finish()
        readVolume = nil
        sessions.channels.deliver = nil
        sessions.removeAll()
    }

    func report(_ message: ExtensionMessage) {
        if let outbox { outbox.post(message) } else { undelivered.append(message) }
    }

    // MARK: Discovery

    /// Reports a device that was discovered, also repeatedly.
    public func foundDevice(_ device: MediaOutputDevice) {
        devices.found([device])
        report(.foundDevice(device.onLink))
    }

    /// Reports that the state of some devices changed, such as their names or groups. Other devices stay as they are.
    public func updateDevices(_ devices: [MediaOutputDevice]) {
        self.devices.found(devices)
        var rest = devices[...]
        repeat {
            report(.updateDevices(rest.prefix(Self.longestUpdate).map(\.onLink)))
            rest = rest.dropFirst(Self.longestUpdate)
        } while !rest.isEmpty
    }

    /// The highest number of devices in one message that the host accepts.
    private static let longestUpdate = 500

    /// Reports that a device is gone, which removes it from the lists.
    ///
    /// It doesn't end a session. If the device is active, report ``failedToActivateDevice(_:session:error:)`` first,
    /// unless it still works, like one that announces nothing during playback.
    public func lostDevice(_ device: MediaOutputDevice) {
        devices.lost(device.id)
        report(.lostDevice(id: device.id.uuidString))
    }

    /// Reports that discovery can't run. Don't report it if discovery finds nothing.
    public func discoveryFailed(_ error: MediaDeviceError) { report(.discoveryFailed(error.asHostError)) }

    // MARK: Volume

    /// Reports a change of volume or mute state that the host didn't request.
    ///
    /// The host reads the new values with ``MediaDeviceExtension/volume(for:)`` and
    /// ``MediaDeviceExtension/isDeviceMuted(_:)`` in the next turn of the main actor, once for all changes of this
    /// turn.
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

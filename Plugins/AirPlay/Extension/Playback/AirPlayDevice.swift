import AirPlayPairing
import AirPlayProtocol
import MediaDevice

/// A receiver in use: its sessions and its volume.
@MainActor
final class AirPlayDevice {
    /// The change of the volume for one press of a button.
    static let step: Float = 0.05

    private(set) var device: MediaOutputDevice
    private let secret: ReceiverSecret?
    private let host: MediaDeviceRoutingManager
    private var sessions: Set<MediaOutputSession.ID> = []
    /// The volumes of receivers as far as they're known, which are kept for the next use.
    private let levels: ReceiverLevels
    /// A function that sets the volume during playback.
    var onLevel: ((Float) -> Void)?

    init(
        _ device: MediaOutputDevice, secret: ReceiverSecret?, levels: ReceiverLevels, host: MediaDeviceRoutingManager
    ) {
        self.device = device
        self.secret = secret
        self.levels = levels
        self.host = host
    }

    var isUnused: Bool { sessions.isEmpty }

    func isUsed(by session: MediaOutputSession) -> Bool { sessions.contains(session.id) }

    func activate(for session: MediaOutputSession) { sessions.insert(session.id) }

    func deactivate(_ session: MediaOutputSession) { sessions.remove(session.id) }

    /// Records that the receiver was discovered again, possibly at another address. Later playback uses it.
    func seen(_ found: MediaOutputDevice) { device = found }

    /// The current access to the receiver.
    var speaker: Speaker {
        let facts = AirPlayDeviceFacts(device)
        return Speaker(
            id: device.id, name: device.displayName,
            access: device.audioAccess(secret) ?? ReceiverAccess(addresses: [], secret: nil),
            metadata: facts.metadata, wantsEncryptedAudio: facts.wantsEncryptedAudio)
    }

    /// A Boolean value that indicates whether the receiver accepts live audio.
    var takesSound: Bool { !device.audioAddresses.isEmpty }

    /// The access to the service that plays URLs; `nil` if the receiver has none.
    var videoAccess: ReceiverAccess? { device.videoAccess(secret) }

    // MARK: Level

    private var level: ReceiverLevel {
        get { levels.level(of: device.id) }
        set { levels.set(newValue, of: device.id) }
    }

    /// Returns the volume with which playback starts; `nil` for the receiver's own.
    ///
    /// - Parameter isReported: A Boolean value that indicates whether the receiver reports its own level to this playback.
    func takeInitial(isReported: Bool) -> Float? { level.takeInitial(isReported: isReported) }

    /// Processes the volume that the receiver reported.
    func heard(_ read: Float) {
        level.heard(read)
        if level.isMuted { onLevel?(0) }
        host.volumeChanged(for: device)
    }

    /// The last known volume, `0...1`. A receiver reports none before playback; one that plays URLs never does, and
    /// shows full volume.
    var volume: Float {
        get { level.known ?? (videoAccess == nil ? 0 : 1) }
        set {
            guard newValue.isFinite else { return }
            request { $0.set(min(1, max(0, newValue))) }
        }
    }

    var isMuted: Bool { level.isMuted }

    func setMuted(_ isMuted: Bool) {
        guard isMuted != level.isMuted else { return }
        request { $0.setMuted(isMuted) }
    }

    /// Sets the volume during playback. What is requested before waits for it.
    private func request(_ change: (inout ReceiverLevel) -> Void) {
        var requested = level
        change(&requested)
        if let onLevel {
            // A receiver whose level isn't known is given one after it was muted.
            if requested.known == nil, !requested.isMuted {
                requested.set(videoAccess == nil ? ReceiverLevel.moderate : 1)
            }
            if let wanted = requested.takeInitial(isReported: false) { onLevel(wanted) }
        }
        level = requested
        host.volumeChanged(for: device)
    }
}

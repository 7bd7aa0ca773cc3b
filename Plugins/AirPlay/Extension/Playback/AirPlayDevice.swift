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
    /// The volume that a person requested while nothing played.
    private(set) var wanted: Float?
    private var level: Float?
    private var mute = false
    /// A function that sets the volume during playback.
    var onLevel: ((Float) -> Void)?

    init(_ device: MediaOutputDevice, secret: ReceiverSecret?, host: MediaDeviceRoutingManager) {
        self.device = device
        self.secret = secret
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

    /// Returns and clears the requested volume; `nil` for the receiver's own.
    func takeWanted() -> Float? {
        defer { wanted = nil }
        return mute ? 0 : wanted
    }

    /// Processes the volume that the receiver reported.
    func heard(_ read: Float) {
        level = read
        host.volumeChanged(for: device)
    }

    /// The last known volume, `0...1`. A receiver reports none before playback; one that plays URLs never does, and
    /// shows full volume.
    var volume: Float {
        get { level ?? (videoAccess == nil ? 0 : 1) }
        set {
            guard newValue.isFinite else { return }
            let new = min(1, max(0, newValue))
            level = new
            mute = false
            send(new)
        }
    }

    var isMuted: Bool { mute }

    func setMuted(_ isMuted: Bool) {
        guard isMuted != mute else { return }
        mute = isMuted
        // An unknown level can't be restored: the receiver keeps the level it is given.
        send(isMuted ? 0 : level ?? 1)
    }

    private func send(_ level: Float) {
        if let onLevel { onLevel(level) } else { wanted = level }
        host.volumeChanged(for: device)
    }
}

import AirPlayPairing
import AirPlayProtocol
import MediaDevice

/// A receiver somebody uses: the sessions that hold it, and its level.
@MainActor
final class AirPlayDevice {
    /// Of a level, for one press of a button.
    static let step: Float = 0.05

    private(set) var device: MediaOutputDevice
    private let secret: ReceiverSecret?
    private let host: MediaDeviceRoutingManager
    private var sessions: Set<MediaOutputSession.ID> = []
    /// What a person asked for while nothing played.
    private(set) var wanted: Float?
    private var level: Float?
    private var mute = false
    /// Has a level set, where something plays there.
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

    /// The receiver was seen again, maybe elsewhere: what begins from now on goes there.
    func seen(_ found: MediaOutputDevice) { device = found }

    /// How it is reached now.
    var speaker: Speaker {
        let facts = AirPlayDeviceFacts(device)
        return Speaker(
            id: device.id, name: device.displayName,
            access: device.audioAccess(secret) ?? ReceiverAccess(addresses: [], secret: nil),
            metadata: facts.metadata, wantsEncryptedAudio: facts.wantsEncryptedAudio)
    }

    /// Whether media can be sent to it live.
    var takesSound: Bool { !device.audioAddresses.isEmpty }

    /// How it is reached with addresses now; `nil` where it takes none.
    var videoAccess: ReceiverAccess? { device.videoAccess(secret) }

    // MARK: Level

    /// What to begin with; `nil` for the receiver's own.
    func takeWanted() -> Float? {
        defer { wanted = nil }
        return mute ? 0 : wanted
    }

    /// The receiver told its level.
    func heard(_ read: Float) {
        level = read
        host.volumeChanged(for: device)
    }

    /// `0...1`: the last one known. A receiver does not tell before something plays, and one that plays by itself never: it is
    /// shown as all of what it is set to.
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
        // To a level that nobody knows it cannot be brought back: the receiver keeps what it is told.
        send(isMuted ? 0 : level ?? 1)
    }

    private func send(_ level: Float) {
        if let onLevel { onLevel(level) } else { wanted = level }
        host.volumeChanged(for: device)
    }
}

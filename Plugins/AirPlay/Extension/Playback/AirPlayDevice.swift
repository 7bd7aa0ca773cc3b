import AirPlayProtocol
import MediaDevice

/// A receiver somebody uses: the sessions that hold it, the one that plays, and its level.
@MainActor
final class AirPlayDevice {
    private(set) var device: MediaOutputDevice
    private let password: String?
    private let host: MediaDeviceRoutingManager
    private let timeouts: AirPlayTimeouts
    private let ports: StreamPorts
    private var sessions: Set<MediaOutputSession.ID> = []
    private var playback: (session: MediaOutputSession, item: AirPlayPlaybackSession)?
    /// What a person asked for while nothing played.
    private var wanted: Float?
    private var level: Float?
    private var mute = false

    init(
        _ device: MediaOutputDevice, password: String?, host: MediaDeviceRoutingManager, timeouts: AirPlayTimeouts,
        ports: StreamPorts
    ) {
        self.device = device
        self.password = password
        self.host = host
        self.timeouts = timeouts
        self.ports = ports
    }

    var isUnused: Bool { sessions.isEmpty }

    func isUsed(by session: MediaOutputSession) -> Bool { sessions.contains(session.id) }

    func activate(for session: MediaOutputSession) {
        sessions.insert(session.id)
        host.activatedDevice(device, session: session)
    }

    func deactivate(_ session: MediaOutputSession) async {
        sessions.remove(session.id)
        await stop(session)
    }

    /// The receiver was seen again, maybe elsewhere: what begins from now on goes there.
    func seen(_ found: MediaOutputDevice) { device = found }

    // MARK: Playback

    /// Plays an address; what played before makes way for it.
    func start(_ address: String, in session: MediaOutputSession) {
        let previous = playback?.item
        let item = AirPlayPlaybackSession(
            address: address, information: session.mediaInformation,
            receiver: AirPlayPlaybackSession.Receiver(
                addresses: device.networkEndpoints.compactMap(AirPlayAddress.init), password: password,
                metadata: AirPlayDeviceFacts(device).metadata, timeouts: timeouts, ports: ports),
            level: mute ? 0 : wanted)
        playback = (session, item)
        wanted = nil
        item.control.setLevel(level ?? 0, isMuted: mute)
        item.onReport = { [weak self, weak item] report in
            guard let self, let item, playback?.item === item else { return }
            self.report(report, of: item, in: session)
        }
        item.control.onCommand = { [weak self, weak item] command in
            guard let self, let item else { return }
            perform(command, on: item)
        }
        Task {
            await previous?.stop()
            item.start()
        }
    }

    func stop(_ session: MediaOutputSession) async {
        guard let current = playback, current.session.id == session.id else { return }
        await current.item.stop()
        if playback?.item === current.item { playback = nil }
    }

    private func perform(_ command: AirPlayPlaybackControl.Command, on item: AirPlayPlaybackSession) {
        switch command {
        case .volume(let level): volume = level
        case .muted(let isMuted): setMuted(isMuted)
        case .playing, .seek: item.perform(command)
        }
    }

    private func report(
        _ report: AirPlayPlaybackSession.Report, of item: AirPlayPlaybackSession, in session: MediaOutputSession
    ) {
        switch report {
        case .started: host.started(application: nil, playbackControl: item.control, session: session)
        case .ended:
            playback = nil
            host.sessionEnded(session)
        case .failed(let error):
            playback = nil
            if error.code == .authorizationFailed { host.setCredential(nil, for: device) }
            host.sessionFailed(session, error: error)
        case .level(let read):
            level = read
            item.control.setLevel(read, isMuted: mute)
            host.volumeChanged(for: device)
        case .quality(let quality): tell(quality, session)
        }
    }

    private func tell(_ quality: StreamQuality, _ session: MediaOutputSession) {
        log.info(
            "a stream ended",
            metadata: [
                "packets": "\(quality.packetsSent)", "late": "\(quality.packetsLate)",
                "lost": "\(quality.packetsLost)", "resent": "\(quality.packetsResent)",
                "stalls": "\(quality.stalls)", "latency": "\(quality.latency) s",
            ])
        host.reportQualityMetricsPassed(quality.isGood, forSession: session)
    }

    // MARK: Level

    /// `0...1`: the last one known. A receiver does not tell before something plays.
    var volume: Float {
        get { level ?? 0 }
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
        if let item = playback?.item {
            item.setLevel(level)
            item.control.setLevel(volume, isMuted: mute)
        } else {
            wanted = level
        }
        host.volumeChanged(for: device)
    }
}

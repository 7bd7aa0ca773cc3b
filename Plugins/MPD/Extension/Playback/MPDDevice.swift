import Foundation
import MPDProtocol
import MediaDevice

/// A server somebody uses: its player, the sessions that hold it and the one that plays.
@MainActor
final class MPDDevice {
    private(set) var device: MediaOutputDevice
    /// What was stored for the device when the player was connected.
    let credential: Data?
    private let player: MPDPlayer
    private let host: MediaDeviceRoutingManager
    private var sessions: Set<MediaOutputSession.ID> = []
    private var playbacks: [MediaOutputSession.ID: MPDPlaybackSession] = [:]

    /// - Parameter player: Connected.
    init(_ device: MediaOutputDevice, player: MPDPlayer, host: MediaDeviceRoutingManager) {
        self.device = device
        self.player = player
        self.host = host
        credential = host.credential(for: device)
        player.onEvent = { [weak self] in self?.handle($0) }
    }

    /// The server cannot be used any more; only a new activation helps.
    private(set) var isGone = false

    var isConnected: Bool { player.isConnected }

    var isUnused: Bool { sessions.isEmpty }

    func isUsed(by session: MediaOutputSession) -> Bool { sessions.contains(session.id) }

    /// Lets a session hold the device, and tells the host if it has other volume controls than announced.
    func activate(for session: MediaOutputSession) {
        sessions.insert(session.id)
        host.activatedDevice(device, session: session)
        updateVolumeControl()
    }

    /// Lets a session go; its song leaves the queue.
    func deactivate(_ session: MediaOutputSession) async {
        sessions.remove(session.id)
        await stop(session)
    }

    /// Ends the connection, after the songs that are on their way out of the queue.
    func close() async {
        let leaving = playbacks
        playbacks = [:]
        for playback in leaving.values { await playback.stop() }
        await player.close()
    }

    /// The server was seen again, maybe elsewhere.
    func seen(_ found: MediaOutputDevice) {
        // What activation found out stays.
        device = found.with(device.volumeControl) ?? found
        player.seen(at: found.networkEndpoints.compactMap(MPDAddress.init))
    }

    // MARK: Playback

    /// Plays an address; what the session played before makes way for it.
    func start(_ address: String, in session: MediaOutputSession) {
        let previous = playbacks[session.id]
        let playback = makePlayback(of: address, in: session)
        Task {
            await previous?.stop()
            await playback.start()
        }
    }

    /// Takes up what an earlier process of this extension had the server play.
    func adopt(_ earlier: EarlierPlayback, in session: MediaOutputSession) {
        let playback = makePlayback(of: earlier.url.absoluteString, in: session)
        let song = earlier.token.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        Task { await playback.adopt(song: song) }
    }

    private func makePlayback(of address: String, in session: MediaOutputSession) -> MPDPlaybackSession {
        let playback = MPDPlaybackSession(address: address, information: session.mediaInformation, player: player)
        playback.onReport = { [weak self, weak playback] report in
            guard let self, let playback, playbacks[session.id] === playback else { return }
            self.report(report, of: playback, in: session)
        }
        playbacks[session.id] = playback
        return playback
    }

    /// Ends what the session plays; returns once its song has left the queue.
    func stop(_ session: MediaOutputSession) async {
        guard let playback = playbacks[session.id] else { return }
        await playback.stop()
        if playbacks[session.id] === playback { playbacks[session.id] = nil }
    }

    private func report(
        _ report: MPDPlaybackSession.Report, of playback: MPDPlaybackSession, in session: MediaOutputSession
    ) {
        switch report {
        case .queued(let song): host.setAdoptionToken(Data(String(song).utf8), for: session)
        case .started: host.started(application: nil, playbackControl: playback.control, session: session)
        case .ended: host.sessionEnded(session)
        case .failed(let error): host.sessionFailed(session, error: error)
        }
    }

    // MARK: Level

    /// `0...1`; 0 without a mixer.
    var volume: Float {
        get { player.volume ?? 0 }
        set { player.setVolume(newValue) }
    }

    private func updateVolumeControl() {
        let control: MediaOutputDevice.VolumeControl = player.status?.volume == nil ? .none : .absolute
        guard control != device.volumeControl, let changed = device.with(control) else { return }
        device = changed
        host.updateDevices([changed])
    }

    // MARK: The server's word

    private func handle(_ event: MPDPlayer.Event) {
        switch event {
        case .observed(let observation):
            for playback in playbacks.values { playback.observe(observation) }
            updateVolumeControl()
        case .volumeChanged: host.volumeChanged(for: device)
        case .lost(let error):
            log.info("the connection was lost", metadata: ["reason": "\(error.sentence)"])
            for playback in playbacks.values { playback.connectionLost() }
        case .returned(let observation):
            for playback in playbacks.values { playback.connectionReturned(observation) }
            updateVolumeControl()
            host.volumeChanged(for: device)
        case .gone(let error):
            isGone = true
            log.warning("the server cannot be used any more", metadata: ["reason": "\(error.sentence)"])
            for playback in playbacks.values { playback.connectionGone(error) }
        }
    }
}

extension MediaOutputDevice {
    /// The same device with another volume control; `nil` for one without endpoints, which cannot be made anew.
    func with(_ volumeControl: VolumeControl) -> MediaOutputDevice? {
        MediaOutputDevice(
            id: id, displayName: displayName, capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: canGroupWithCurrentlyActivatedDevices, deviceType: deviceType,
            volumeControl: volumeControl, canMute: canMute, requiredNetworkEndpoints: networkEndpoints,
            txtRecords: txtRecords, supportsSimultaneousSessions: supportsSimultaneousSessions)
    }
}

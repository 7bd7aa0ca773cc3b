import Foundation
import HostInterface

/// The playback on devices as media sessions, a value that receives the host's changes.
struct RouteSessions: Sendable {
    /// The devices in use, because thousands may be listed.
    private var devices: [String: HostDevice] = [:]
    private var sessions: [String: HostSession] = [:]

    /// Returns the sessions that a change adds or modifies. Ended sessions have no state.
    mutating func apply(_ change: HostChange) -> [(session: HostSession, shown: NowPlayingSession?)] {
        switch change {
        case .device(let device):
            let isSame =
                devices[device.id].map {
                    $0.description.name == device.description.name && $0.level == device.level
                        && $0.groupLevel == device.groupLevel
                        && $0.description.volumeControl == device.description.volumeControl
                } ?? false
            let concerned = sessions.values.filter { $0.entryID == device.id || $0.members.contains(device.id) }
            devices[device.id] = device.activation != .idle || !concerned.isEmpty ? device : nil
            return isSame ? [] : concerned.map { ($0, shown($0)) }
        case .deviceRemoved(let id):
            devices[id] = nil
            return []
        case .session(let session):
            // Properties exist as soon as the session is active; those it had before a reconnection are kept.
            guard session.state == .active || (session.state == .reconnecting && session.playback.isReady) else {
                return session.state.isOver ? over(session.id) : []
            }
            sessions[session.id] = session
            return [(session, shown(session))]
        case .sessionRemoved(let id): return over(id)
        default: return []
        }
    }

    func session(_ id: String) -> HostSession? { sessions[id] }
    func device(_ id: String) -> HostDevice? { devices[id] }

    private mutating func over(_ id: String) -> [(session: HostSession, shown: NowPlayingSession?)] {
        sessions.removeValue(forKey: id).map { [($0, nil)] } ?? []
    }

    private func shown(_ session: HostSession) -> NowPlayingSession {
        let device = devices[session.entryID]
        let isAbsolute = device?.description.volumeControl == .absolute
        let players = session.members.count > 1 ? session.members : [session.entryID]
        let names = players.compactMap { devices[$0]?.description.name }
        return NowPlayingSession(
            id: "route" + session.id, kind: .route, owner: "route" + session.id, application: session.entryID,
            name: names.isEmpty ? "Device" : names.joined(separator: " + "), state: Self.state(session),
            volume: isAbsolute ? device?.groupLevel ?? device?.level ?? session.playback.volume : nil,
            artworkEndpoints: Self.isArtworkOfDevice(session) ? device?.description.endpoints ?? [] : nil)
    }

    /// Returns whether the device or its extension provided the picture; a device often reports back the picture given
    /// by a person.
    private static func isArtworkOfDevice(_ session: HostSession) -> Bool {
        session.playback.artwork.first.map { $0.url != session.media.artworkURL } ?? false
    }

    /// Returns a playback as the state of a media session.
    static func state(_ session: HostSession) -> MediaSessionState {
        let playback = session.playback
        let title = [playback.title, session.media.title, fileName(session.source)].compactMap { $0 }.first {
            !$0.isEmpty
        }
        var item = MediaItem(
            id: session.id + " " + (playback.title ?? "") + session.source, kind: .generic,
            isVideo: playback.presentationWidth != nil, title: title ?? session.source)
        item.subtitle = playback.subtitle ?? session.media.artist
        item.artworkURL = playback.artwork.first?.url ?? session.media.artworkURL
        item.artworkID = item.artworkURL
        item.url = session.source
        if playback.isLive {
            item.extent = .live
            item.duration = hasWindow(playback) ? playback.timeRange.duration : nil
        } else if playback.timeRange.duration.isFinite, playback.timeRange.duration > 0 {
            item.extent = .finite
            item.duration = playback.timeRange.duration
        }
        var state = MediaPlayback(state: .paused)
        if playback.isBuffering {
            state.state = .buffering
        } else if playback.isPlaying {
            state.state = .playing
        }
        let rate = playback.position.rate
        state.rate = rate.isFinite && rate != 0 ? rate : playback.playbackSpeed
        if playback.playbackSpeed > 0 { state.defaultRate = playback.playbackSpeed }
        state.position = .init(
            value: playback.position.value - playback.timeRange.start, hostTime: playback.position.hostTime)
        return MediaSessionState(content: item, playback: state, controls: controls(playback))
    }

    private static func controls(_ playback: PlaybackState) -> [MediaControl] {
        var controls = [
            MediaControl(.play), MediaControl(.pause), MediaControl(.togglePlayPause), MediaControl(.stop),
            MediaControl(.seekToPosition, isEnabled: hasWindow(playback)),
        ]
        if playback.supports(.playbackSpeed) { controls.append(MediaControl(.changePlaybackRate, numbers: speeds)) }
        if playback.canScanForward { controls.append(MediaControl(.seekForward)) }
        if playback.canScanBackward { controls.append(MediaControl(.seekBackward)) }
        return controls
    }

    /// Returns a Boolean value that indicates whether playback can seek. Live content can, as far back as the device
    /// stores it.
    private static func hasWindow(_ playback: PlaybackState) -> Bool {
        playback.canSeek && playback.timeRange.duration.isFinite && playback.timeRange.duration > 0
    }

    /// The offered rates, because a device doesn't report those it supports.
    private static let speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

    /// Returns the title of media without one: the last part of its URL, without the extension.
    private static func fileName(_ source: String) -> String {
        URL(string: source)?.deletingPathExtension().lastPathComponent ?? ""
    }
}

import AirPlayProtocol
import Foundation
import Logging
import MediaDevice
import Observation
import PlaybackKit

/// A media session: the receivers that it uses together, and their playback.
@MainActor
final class AirPlayPlayer {
    /// Another object of the same identifier once it was stopped, and something is to play in it again.
    var session: MediaOutputSession
    /// The receivers in their order of arrival.
    private(set) var members: [AirPlayDevice] = []
    /// A receiver dropped out by itself.
    var onLeft: (AirPlayDevice, MediaDeviceError) -> Void = { _, _ in }
    let host: MediaDeviceRoutingManager
    let setting: AirPlayPlaybackSession.Setting
    /// The live stream.
    var item: AirPlayPlaybackSession?
    private var informing: Task<Void, Never>?
    /// The playback by URL on the only receiver.
    var video: VideoPlayback?

    init(_ session: MediaOutputSession, host: MediaDeviceRoutingManager, setting: AirPlayPlaybackSession.Setting) {
        self.session = session
        self.host = host
        self.setting = setting
    }

    // MARK: Members

    /// Adds a receiver, also to current playback.
    func add(_ device: AirPlayDevice) {
        guard !members.contains(where: { $0 === device }) else { return }
        guard video == nil else {
            let reason = "What is played by its address is played on one receiver."
            return onLeft(device, MediaDeviceError(.sessionFailed, detail: .notSupported, reason: reason))
        }
        members.append(device)
        guard let item else { return }
        join(device, item)
        item.setSpeakers(members.map(\.speaker))
    }

    func remove(_ device: AirPlayDevice) async {
        guard members.contains(where: { $0 === device }) else { return }
        members.removeAll { $0 === device }
        device.onLevel = nil
        guard !members.isEmpty else { return await stop() }
        item?.setSpeakers(members.map(\.speaker))
        showLevel()
    }

    /// Applies a receiver's new address.
    func moved() {
        item?.setSpeakers(members.map(\.speaker))
        if let access = members.first?.videoAccess { video?.moved(to: access) }
    }

    private func join(_ device: AirPlayDevice, _ item: AirPlayPlaybackSession) {
        if let level = device.takeInitial(isReported: true) { item.setLevel(level, of: device.device.id) }
        device.onLevel = { [weak self, weak item] level in
            item?.setLevel(level, of: device.device.id)
            self?.showLevel()
        }
    }

    // MARK: Playback

    /// Plays a URL on all receivers, in place of the current playback.
    ///
    /// A single receiver that plays URLs gets the URL itself.
    func start(_ address: String) {
        if let access = videoAccess { show(address, access) } else { send(.media(session.reader)) }
    }

    /// Sends the media live.
    ///
    /// - Parameter place: The position of an earlier process; `nil` to start from the beginning.
    func send(_ media: AirPlayPlaybackSession.Media, at place: PlaybackPlace? = nil) {
        let previous = item
        let item = AirPlayPlaybackSession(
            media, information: session.mediaInformation, speakers: members.map(\.speaker), place: place,
            setting: setting
        ) { [weak self] in self?.perform($0) }
        self.item = item
        for device in members { join(device, item) }
        showLevel()
        item.onReport = { [weak self, weak item] report in
            guard let self, let item, self.item === item else { return }
            self.report(report, of: item)
        }
        informing?.cancel()
        informing = Task { [session, weak item] in
            for await information in Observations({ session.mediaInformation }) { item?.show(information) }
        }
        Task {
            await previous?.stop()
            item.start()
        }
    }

    func stop() async {
        if let video {
            await video.stop()
            if self.video === video { end() }
        }
        guard let item else { return }
        await item.stop()
        if self.item === item { end() }
    }

    func end() {
        informing?.cancel()
        item = nil
        video = nil
        for device in members { device.onLevel = nil }
    }

    func perform(_ wish: PlayerWish) {
        switch wish {
        case .setVolume(let level): for device in members { device.volume = Float(level) }
        case .setMuted(let isMuted): for device in members { device.setMuted(isMuted) }
        default:
            item?.perform(wish)
            video?.perform(wish)
        }
    }

    private func report(_ report: AirPlayPlaybackSession.Report, of item: AirPlayPlaybackSession) {
        switch report {
        case .started: host.started(application: nil, playbackControl: item.control, session: session)
        case .ended:
            end()
            host.sessionEnded(session)
        case .failed(let error):
            failed(error)
        case .left(let id, let error):
            guard let device = members.first(where: { $0.device.id == id }) else { return }
            members.removeAll { $0 === device }
            device.onLevel = nil
            onLeft(device, error)
        case .level(let level, let id):
            members.first { $0.device.id == id }?.heard(level)
            showLevel()
        case .pressed(let command, let id):
            if let device = members.first(where: { $0.device.id == id }) { press(command, on: device, item) }
        case .place(let place): host.setAdoptionToken(place.data, for: session)
        case .measured(let quality): host.reportQuality(RealtimeQuality(quality), forSession: session)
        case .quality(let quality): tell(quality)
        }
    }

    /// Performs a key press on one receiver: its own volume, or the playback of all.
    private func press(_ command: RemoteCommand, on device: AirPlayDevice, _ item: AirPlayPlaybackSession) {
        switch command {
        case .play: item.control.isPlaying = true
        case .pause: item.control.isPlaying = false
        case .playPause: item.control.isPlaying.toggle()
        case .volumeUp: device.volume += AirPlayDevice.step
        case .volumeDown: device.volume -= AirPlayDevice.step
        case .level(let level): device.volume = level
        case .toggleMute: device.setMuted(!device.isMuted)
        case .stop:
            Task {
                await item.stop()
                // Something else may play by now, and the system may have ended it as well.
                guard self.item === item else { return }
                end()
                host.sessionEnded(session, ending: .interrupted)
            }
        }
    }

    func failed(_ error: MediaDeviceError) {
        end()
        // If the receiver refuses access only for now, the secret is still valid.
        if error.code == .authorizationFailed, error.detail != .deviceRefused, members.count == 1 {
            for device in members { host.setCredential(nil, for: device.device) }
        }
        host.sessionFailed(session, error: error)
    }

    /// Shows the volume of the loudest receiver.
    func showLevel() {
        guard let control = item?.control ?? video?.control, let volume = members.map(\.volume).max() else { return }
        control.update(PlayerLevel(volume: Double(volume), isMuted: members.allSatisfy(\.isMuted)))
        control.settle([.volume, .mute])
    }

    private func tell(_ quality: StreamQuality) {
        log.info(
            "a stream ended",
            metadata: [
                "packets": "\(quality.packetsSent)", "late": "\(quality.packetsLate)",
                "lost": "\(quality.packetsLost)", "resent": "\(quality.packetsResent)",
                "stalls": "\(quality.stalls)", "latency": "\(quality.latency) s",
            ])
        host.reportQualityMetricsPassed(quality.isGood, forSession: session)
    }
}

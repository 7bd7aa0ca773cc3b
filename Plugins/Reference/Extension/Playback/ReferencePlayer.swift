import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// The playback of a session on one receiver, or on several together.
@MainActor
final class ReferencePlayer: DevicePlayback {
    private enum Phase {
        /// Playback hasn't been reported as started.
        case beginning
        case playing
        case over
    }

    private let session: MediaOutputSession
    private let host: MediaDeviceRoutingManager
    private let clock: any Clock<Duration>
    /// The identifier of the playback for the receivers.
    let playbackID: String
    /// The running application; `nil` for media.
    let application: String?
    let media: PlayableMedia
    private lazy var group = PlaybackGroup<ReferenceDevice>(clock: clock) { [weak self] in self?.timelineChanged() }
    private var control: PlayerControl?
    private var phase = Phase.beginning

    /// Creates a playback.
    ///
    /// - Parameters:
    ///   - id: The identifier for the receivers; for an adopted playback that of the earlier process.
    ///   - media: The media; for an application the URL that it understands.
    init(
        _ session: MediaOutputSession, id: String, application: String?, media: PlayableMedia,
        host: MediaDeviceRoutingManager, clock: any Clock<Duration>
    ) {
        self.session = session
        playbackID = id
        self.application = application
        self.media = media
        self.host = host
        self.clock = clock
    }

    // MARK: The beginning and the end

    /// Starts playback on these devices; on several when all are ready. An application runs on the first one.
    func start(on devices: [ReferenceDevice]) {
        host.setAdoptionToken(Data(playbackID.utf8), for: session)
        let members = application == nil ? devices : Array(devices.prefix(1))
        for device in members {
            device.player = self
            if let application {
                device.send(.launch(id: playbackID, application: application, url: media.url.absoluteString))
            } else {
                load(device, at: media.startPosition, isHeld: members.count > 1)
            }
        }
        group.begin(members, at: media.startPosition ?? 0)
    }

    /// Adopts the playback of an earlier process, without changing it.
    ///
    /// - Returns: `false` if none of these devices plays it.
    func adopt(on devices: [ReferenceDevice]) -> Bool {
        guard let first = devices.first(where: { $0.playback?.id == playbackID }), let state = first.playback else {
            return false
        }
        host.setAdoptionToken(Data(playbackID.utf8), for: session)
        first.player = self
        group.add(first)
        if state.isHeld { first.start(from: state.position, at: state.time) }
        if !state.isBuffering { tellStarted(state) }
        for device in devices where device !== first { add(device) }
        return true
    }

    /// Adds a device to the playback.
    func add(_ device: ReferenceDevice) {
        guard phase != .over, application == nil, !group.contains(device) else { return }
        device.player = self
        // It plays the media already if the extension was gone for a while.
        if device.playback?.id != playbackID { load(device, at: position, isHeld: true) }
        group.add(device)
    }

    /// The current position in seconds.
    private var position: Double {
        group.position ?? control?.playbackPosition.position(at: CMClockGetTime(.hostTimeClock)).seconds ?? 0
    }

    /// Stops playback on one device. The others continue.
    func remove(_ device: ReferenceDevice) {
        guard phase != .over, group.contains(device) else { return }
        device.send(.stop)
        leave(device)
        if group.members.isEmpty { finish(nil) }
    }

    private func leave(_ device: ReferenceDevice) {
        device.player = nil
        group.remove(device)
        levelChanged()
        // It waits for members that left.
        if group.members.count == 1, phase == .playing, control?.isPlaying == true {
            group.perform(.setPlaying(true))
        }
    }

    /// Stops playback on all devices.
    func stop() {
        guard phase != .over else { return }
        for device in group.members { device.send(.stop) }
        letGo()
    }

    /// Ends the playback.
    ///
    /// - Parameter device: The device on which it ended by itself, which needs no command.
    private func finish(_ error: MediaDeviceError?, on device: ReferenceDevice? = nil) {
        guard phase != .over else { return }
        control?.finish(error)
        for other in group.members where other !== device { other.send(.stop) }
        letGo()
        if let error { host.sessionFailed(session, error: error) } else { host.sessionEnded(session) }
    }

    /// Ends the playback without changing the devices.
    func letGo() {
        phase = .over
        for device in group.members where device.player === self { device.player = nil }
        group.end()
        control = nil
    }

    private func load(_ device: ReferenceDevice, at position: Double?, isHeld: Bool) {
        var media = ReferenceMedia(media)
        media.position = position
        media.isHeld = isHeld ? true : nil
        device.send(.play(id: playbackID, media: media))
    }

    // MARK: The state

    private func tellStarted(_ state: ReferencePlayback) {
        guard phase == .beginning else { return }
        phase = .playing
        let control = PlayerControl(media.information, level: group.level) { [weak self] in self?.group.perform($0) }
        control.update(shown(state))
        self.control = control
        host.started(application: application, playbackControl: control, session: session)
    }

    private func shown(_ state: ReferencePlayback) -> PlaybackSnapshot {
        group.shown(PlaybackSnapshot(state), isBuffering: state.isBuffering)
    }

    /// Shows the state when the devices have begun together, or go on from another position.
    private func timelineChanged() {
        let states = group.members.compactMap(\.playback)
        guard let state = states.first(where: { $0.id == playbackID && !$0.isBuffering }) else { return }
        if phase == .beginning { tellStarted(state) } else { control?.update(shown(state)) }
    }

    // MARK: Events of the receivers

    func heard(_ state: ReferencePlayback, from device: ReferenceDevice) {
        guard phase != .over else { return }
        guard state.id == playbackID else {
            // Until it has answered, the receiver may still report its previous media.
            if device.isSettled { replaced(on: device) }
            return
        }
        group.reported(by: device)
        // Until its data has come it may still turn out that it cannot be played.
        if phase == .beginning, group.hasBegun, !state.isBuffering { tellStarted(state) }
        if device === group.members.first {
            if device.isSettled { settle(\.isAboutMedia) }
            control?.update(shown(state))
        }
    }

    func compared(_ device: ReferenceDevice) { group.reported(by: device) }

    func settled(_ device: ReferenceDevice) { group.settled(device) }

    func ended(_ id: String, _ failure: ReferenceFailure?, on device: ReferenceDevice) {
        // The end of the previous media may arrive after the next has begun.
        guard phase != .over, id == playbackID else { return }
        guard let failure else { return finish(nil, on: device) }
        failed(MediaDeviceError(failure, .sessionFailed), on: device)
    }

    func failed(_ command: ReferenceCommand, _ failure: ConnectionFailure, on device: ReferenceDevice) {
        switch command {
        case .play(playbackID, _), .launch(playbackID, _, _): refused(failure, by: device)
        case .play, .launch: break
        // The receiver's last report counts.
        default: settle { _ in true }
        }
    }

    private func refused(_ failure: ConnectionFailure, by device: ReferenceDevice) {
        guard phase != .over else { return }
        if case .refused = failure {
            failed(MediaDeviceError(failure, .sessionFailed), on: device)
        } else {
            lost(device, MediaDeviceError(failure, .connectionFailed))
        }
    }

    func lost(_ device: ReferenceDevice, _ error: MediaDeviceError) {
        if group.members.count > 1 { drop(device, error) } else { finish(error, on: device) }
    }

    /// Responds to a failure: before the start it ends the playback; later only the device leaves.
    private func failed(_ error: MediaDeviceError, on device: ReferenceDevice) {
        if group.members.count > 1, phase == .playing { drop(device, error) } else { finish(error, on: device) }
    }

    private func replaced(on device: ReferenceDevice) {
        guard group.members.count > 1 else { return finish(nil, on: device) }
        let reason = "Somebody else plays on \(device.device.displayName) by now."
        drop(device, MediaDeviceError(.sessionFailed, reason: reason))
    }

    /// Removes a device that failed. The others continue.
    private func drop(_ device: ReferenceDevice, _ error: MediaDeviceError) {
        guard group.contains(device) else { return }
        leave(device)
        device.fail(error, for: session)
    }

    func received(_ data: Data, from application: String) {
        guard phase != .over, application == self.application else { return }
        host.receiveData(data, fromApplication: application, session: session)
    }

    func levelChanged() {
        control?.update(group.level)
        if group.members.allSatisfy(\.isSettled) { settle { !$0.isAboutMedia } }
    }

    /// Shows what the receivers report in place of what was written.
    private func settle(_ isDecided: (PlayerWish.Kind) -> Bool) {
        control?.settle(PlayerWish.Kind.allCases.filter(isDecided))
    }
}

import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// The playback of a session on one receiver, or on several together.
@MainActor
final class ReferencePlayer: DevicePlayback {
    /// The time for which receivers that are ready wait for the others.
    private static let patience = Duration.seconds(5)

    enum Phase {
        /// Playback hasn't been reported as started.
        case beginning
        case playing
        case over
    }

    let session: MediaOutputSession
    let host: MediaDeviceRoutingManager
    let clock: any Clock<Duration>
    /// The identifier of the playback for the receivers.
    let id: String
    /// The running application; `nil` for media.
    let application: String?
    let media: PlayableMedia
    private(set) var members: [ReferenceDevice] = []
    var control: PlayerControl?
    var phase = Phase.beginning
    /// The common timeline of several receivers; `nil` for one alone, and until it is known.
    var timeline: Timeline?
    /// A Boolean value that indicates whether the first receiver's clock is being read so that others can join.
    var isJoining = false
    /// The tasks that keep several receivers together.
    var tasks: [Task<Void, Never>] = []

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
        self.id = id
        self.application = application
        self.media = media
        self.host = host
        self.clock = clock
    }

    // MARK: The beginning and the end

    /// Starts playback on these devices; on several when all are ready.
    func start(on devices: [ReferenceDevice]) {
        host.setAdoptionToken(Data(id.utf8), for: session)
        members = devices
        for device in devices { device.player = self }
        if let application, let first = devices.first {
            return first.send(.launch(id: id, application: application, url: media.url.absoluteString))
        }
        guard devices.count > 1 else {
            devices.first?.send(.play(id: id, media: ReferenceMedia(media)))
            return
        }
        timeline = SharedTimeline(beginningAt: media.startPosition ?? 0)
        for device in devices {
            timeline?.add(device.id)
            load(device, at: media.startPosition)
        }
        keepTogether()
        // A receiver that isn't ready by then joins the others later.
        tasks.append(
            Task { [weak self, clock] in
                guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
                self?.order { $0.beginWithoutWaiting(now: HostTime.now) }
            })
    }

    /// Adopts the playback of an earlier process, without changing it.
    ///
    /// - Returns: `false` if none of these devices plays it.
    func adopt(on devices: [ReferenceDevice]) -> Bool {
        let playing = devices.filter { $0.playback?.id == id }
        guard let first = playing.first, let state = first.playback else { return false }
        host.setAdoptionToken(Data(id.utf8), for: session)
        members = [first]
        first.player = self
        if state.isHeld { first.send(.start(position: state.position, at: state.time)) }
        if !state.isBuffering { tellStarted(state) }
        for device in devices where device !== first { add(device) }
        return true
    }

    /// Adds a device to the playback.
    func add(_ device: ReferenceDevice) {
        guard phase != .over, application == nil, !members.contains(where: { $0 === device }) else { return }
        members.append(device)
        device.player = self
        // It plays the media already if the extension was gone for a while.
        if device.playback?.id != id { load(device, at: position) }
        guard let timeline else { return joinFirst() }
        if !timeline.contains(device.id) { self.timeline?.add(device.id) }
        if device.playback?.id == id { order { $0.opened(device.id, now: HostTime.now) } }
        compareClock(of: device)
    }

    /// Stops playback on one device. The others continue.
    func remove(_ device: ReferenceDevice) {
        guard phase != .over, isMember(device) else { return }
        device.send(.stop)
        leave(device)
        if members.isEmpty { finish(nil) }
    }

    private func isMember(_ device: ReferenceDevice) -> Bool { members.contains { $0 === device } }

    private func leave(_ device: ReferenceDevice) {
        members.removeAll { $0 === device }
        device.player = nil
        order { $0.remove(device.id, now: HostTime.now) }
        levelChanged()
        // It waits for members that left.
        if members.count == 1, timeline == nil, phase == .playing, control?.isPlaying == true {
            members.first?.send(.resume)
        }
    }

    /// Stops playback on all devices.
    func stop() {
        guard phase != .over else { return }
        for device in members { device.send(.stop) }
        letGo()
    }

    /// Ends the playback.
    ///
    /// - Parameter device: The device on which it ended by itself, which needs no command.
    private func finish(_ error: MediaDeviceError?, on device: ReferenceDevice? = nil) {
        guard phase != .over else { return }
        control?.finish(error)
        for other in members where other !== device { other.send(.stop) }
        letGo()
        if let error { host.sessionFailed(session, error: error) } else { host.sessionEnded(session) }
    }

    /// Ends the playback without changing the devices.
    func letGo() {
        phase = .over
        endTogether()
        for device in members where device.player === self { device.player = nil }
        members = []
        control = nil
    }

    private func load(_ device: ReferenceDevice, at position: Double?) {
        var media = ReferenceMedia(media)
        media.position = position
        media.isHeld = true
        device.send(.play(id: id, media: media))
    }

    // MARK: Events of the receivers

    func heard(_ state: ReferencePlayback, from device: ReferenceDevice) {
        guard phase != .over else { return }
        guard state.id == id else {
            // Until it has answered, the receiver may still report its previous media.
            if device.isSettled { replaced(on: device) }
            return
        }
        if timeline != nil, !state.isBuffering {
            order { $0.opened(device.id, now: HostTime.now) }
            if device.isSettled { order { $0.heard(state, from: device.id, now: HostTime.now) } }
        } else if timeline == nil {
            joinFirst()
            // Until its data has come it may still turn out that it cannot be played.
            if phase == .beginning, !state.isBuffering { tellStarted(state) }
        }
        if device === members.first {
            if device.isSettled { settle(\.isAboutMedia) }
            show(state)
        }
    }

    /// Processes the clock of a device whose earlier events are all known. The comparison includes reports that arrived
    /// while commands were unanswered.
    func compared(_ device: ReferenceDevice) {
        guard timeline != nil, device.isSettled, let state = device.playback, state.id == id else { return }
        order { $0.heard(state, from: device.id, now: HostTime.now) }
    }

    /// Responds to a device that has answered all commands.
    func settled(_ device: ReferenceDevice) {
        if phase != .over, timeline == nil { joinFirst() }
    }

    func ended(_ id: String, _ failure: ReferenceFailure?, on device: ReferenceDevice) {
        // The end of the previous media may arrive after the next has begun.
        guard phase != .over, id == self.id else { return }
        guard let failure else { return finish(nil, on: device) }
        failed(MediaDeviceError(failure, .sessionFailed), on: device)
    }

    func failed(_ command: ReferenceCommand, _ failure: ConnectionFailure, on device: ReferenceDevice) {
        switch command {
        case .play(self.id, _), .launch(self.id, _, _): refused(failure, by: device)
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
        if members.count > 1 { drop(device, error) } else { finish(error, on: device) }
    }

    /// Responds to a failure: before the start it ends the playback; later only the device leaves.
    private func failed(_ error: MediaDeviceError, on device: ReferenceDevice) {
        if members.count > 1, phase == .playing { drop(device, error) } else { finish(error, on: device) }
    }

    private func replaced(on device: ReferenceDevice) {
        guard members.count > 1 else { return finish(nil, on: device) }
        let reason = "Somebody else plays on \(device.device.displayName) by now."
        drop(device, MediaDeviceError(.sessionFailed, reason: reason))
    }

    /// Removes a device that failed. The others continue.
    private func drop(_ device: ReferenceDevice, _ error: MediaDeviceError) {
        guard isMember(device) else { return }
        leave(device)
        device.fail(error, for: session)
    }

    func received(_ data: Data, from application: String) {
        guard phase != .over, application == self.application else { return }
        host.receiveData(data, fromApplication: application, session: session)
    }

    func levelChanged() {
        control?.update(level)
        if members.allSatisfy(\.isSettled) { settle { !$0.isAboutMedia } }
    }

    /// Shows what the receivers report in place of what was written.
    private func settle(_ isDecided: (PlayerWish.Kind) -> Bool) {
        control?.settle(PlayerWish.Kind.allCases.filter(isDecided))
    }
}

import Foundation
import MediaDevice

/// A device in use, with its player, its sessions, its playback and the requests that are still waiting.
@MainActor
final class ActiveDevice<Described: PlayerProtocol> {
    /// The time for which a device may delay playback before the session counts as started and buffering.
    private static var openingGrace: Duration { .seconds(3) }
    /// The URL of media that another sender chose, and of samples.
    static var unknown: URL { URL(filePath: "/") }

    private(set) var device: MediaOutputDevice
    /// The stored secret of the device at the time it was opened.
    let secret: Data?
    private let described: Described
    let host: MediaDeviceRoutingManager
    private let clock: any Clock<Duration>
    private(set) var player: Described.Player?
    private var sessions: [MediaOutputSession.ID: MediaOutputSession] = [:]
    private(set) var playback: PlaybackInSession?
    /// The latest `load`, `adopt`, `describe` or `stop`. Further requests wait for it, `close` too.
    private var lastRequest: Task<Void, Never>?
    private var runs = 0
    private(set) var level = DeviceLevel()
    private var properties: [String: String] = [:]
    private lazy var wishes = WishPerformer<Described.Player>(clock: clock) { [weak self] in self?.settle($0) }
    private var isClosed = false
    private var isGivenUp = false
    private let reconnection: Reconnection
    /// The reason why the device lost the playback again after the connection was restored.
    private var lastLoss: MediaDeviceError?
    private var service: Task<Void, Never>?
    private let messages = MessageQueue()
    private var sending: Task<Void, Never>?

    init(
        _ device: MediaOutputDevice, player: Described.Player, secret: Data?, described: Described,
        host: MediaDeviceRoutingManager, policy: ReconnectPolicy, clock: any Clock<Duration>
    ) {
        self.device = device
        self.player = player
        self.secret = secret
        self.described = described
        self.host = host
        self.clock = clock
        reconnection = Reconnection(policy, clock)
        wishes.connected(to: player)
        service = Task { await serve(player) }
    }

    // MARK: Sessions

    /// A Boolean value that indicates whether the device is connected or reconnecting.
    var isUsable: Bool { !isClosed && !isGivenUp }
    var isUnused: Bool { sessions.isEmpty }
    func isUsed(by session: MediaOutputSession) -> Bool { sessions[session.id] != nil }

    func activate(_ session: MediaOutputSession) {
        sessions[session.id] = session
        // A session needs it now.
        reconnection.tryNow()
        host.activatedDevice(device, session: session)
        if level.reported != nil { host.volumeChanged(for: device) }
    }

    func deactivate(_ session: MediaOutputSession) async {
        sessions[session.id] = nil
        if let playback, playback.isOthers, playback.session.id == session.id {
            // Playback of another sender continues: end it without a stop request.
            playback.close(nil)
            self.playback = nil
        }
        await stop(session)
        if isUnused { await wishes.finish() }
    }

    func close() async {
        isClosed = true
        service?.cancel()
        reconnection.tryNow()
        wishes.stop()
        playback?.close(nil)
        let player = player
        self.player = nil
        await lastRequest?.value
        await player?.close()
    }

    /// Records that the device was discovered again, possibly at another address.
    ///
    /// - Returns: The device to report, with the level that its player reported.
    func seen(_ found: MediaOutputDevice) -> MediaOutputDevice {
        let hasMoved = found.networkEndpoints != device.networkEndpoints
        device = (level.reported.flatMap { found.with($0) } ?? found).with(properties)
        if hasMoved { reconnection.tryNow() }
        return device
    }

    // MARK: Playback

    func start(_ media: PlayableMedia, application: String?, in session: MediaOutputSession) {
        let playback = begin(media, in: session)
        playback.application = application
        playback.request = inOrder { [self] in
            guard !playback.isOver else { return }
            guard let player else { return fail(playback, .notConnected) }
            await load(playback, on: player)
        }
    }

    /// Performs a request after the earlier ones.
    @discardableResult
    func inOrder(_ request: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let task = Task { [lastRequest] in
            await lastRequest?.value
            await request()
        }
        lastRequest = task
        return task
    }

    private func load(_ playback: PlaybackInSession, on player: Described.Player) async {
        do throws(MediaDeviceError) {
            let token =
                if let application = playback.application {
                    try await player.launch(application, with: playback.media, as: playback.run)
                } else {
                    try await player.load(playback.media, as: playback.run)
                }
            guard !playback.isOver else { return await player.stop(playback.run) }
            playback.isLoaded = true
            playback.keep(token)
            Task { [clock] in
                try? await clock.sleep(for: Self.openingGrace)
                playback.started()
            }
        } catch {
            fail(playback, error)
        }
    }

    /// Sends a message of an app to its application.
    func send(_ data: Data, to application: String, in session: MediaOutputSession) {
        guard let playback, playback.session.id == session.id, playback.application == application, !playback.isOver
        else { return PlaybackKitLog.write("dropped \(data.count) bytes for \(application), which doesn't run here") }
        messages.add(data, of: playback.run)
        guard sending == nil else { return }
        sending = Task {
            // After the start of the application.
            await lastRequest?.value
            if let player { await messages.send(to: player) }
            sending = nil
        }
    }

    /// Plays what was begun, as soon as the earlier requests are done.
    func adopt(_ playback: PlaybackInSession) {
        playback.request = inOrder { [self] in
            guard !playback.isOver else { return }
            guard let player else { return fail(playback, .notConnected) }
            await adopt(playback, on: player)
        }
    }

    func stop(_ session: MediaOutputSession) async {
        guard let playback, playback.session.id == session.id else { return }
        let wasOver = playback.isOver
        playback.close(nil)
        self.playback = nil
        wishes.mediaEnded()
        await inOrder { [player] in if !wasOver { await player?.stop(playback.run) } }.value
    }

    /// Replaces the current playback: the device ends it by playing other media.
    func begin(_ media: PlayableMedia, in session: MediaOutputSession) -> PlaybackInSession {
        if let previous = playback, !previous.isOver {
            if previous.session.id == session.id { previous.close(nil) } else { previous.ended(.stopped) }
        }
        wishes.mediaEnded()
        runs += 1
        let control = PlayerControl(media.information, level: level.reported) { [weak self] in self?.wish($0) }
        let playback = PlaybackInSession(PlaybackRun(runs), media, in: session, control: control, host: host)
        self.playback = playback
        if media.session != nil { followDescription(of: playback) }
        return playback
    }

    private func adopt(_ playback: PlaybackInSession, on player: Described.Player) async {
        if let samples = playback.samples { return play(samples, of: playback, on: player) }
        do throws(MediaDeviceError) {
            let isStillPlayed =
                playback.isOthers
                ? try await player.takeControl(as: playback.run)
                : try await player.adopt(playback.media, token: playback.token, as: playback.run)
            guard !playback.isOver else { return }
            playback.isLoaded = true
            guard isStillPlayed else { return playback.isOthers ? playback.isNotThere() : end(playback, .stopped) }
            playback.control.connectionReturned()
            playback.started()
        } catch {
            // Lost again: the request goes to the next connection. Before the beginning the host repeats it.
            if error.code != .connectionFailed || !playback.isLoaded { return fail(playback, error) }
            lastLoss = error
        }
    }

    private func fail(_ playback: PlaybackInSession, _ error: MediaDeviceError) { end(playback, .failed(error)) }

    func end(_ playback: PlaybackInSession, _ ending: PlaybackEnding) {
        playback.ended(ending)
        if self.playback === playback { wishes.mediaEnded() }
    }

    // MARK: Level

    private func take(_ new: PlayerLevel) {
        let settled = [PlayerWish.Kind.volume, .mute].filter { !wishes.isPending($0) }
        let isChanged = level.take(new, settled: settled)
        playback?.control.update(new)
        if let changed = device.with(new),
            changed.volumeControl != device.volumeControl || changed.canMute != device.canMute
        {
            device = changed
            host.updateDevices([changed])
        }
        playback?.control.settle(settled)
        if isChanged { host.volumeChanged(for: device) }
    }

    // MARK: Wishes

    func wish(_ wish: PlayerWish) {
        level.ask(wish)
        wishes.add(wish)
    }

    private func settle(_ kinds: [PlayerWish.Kind]) {
        level.settle(kinds)
        playback?.control.settle(kinds)
    }

    // MARK: Events of the device

    private func serve(_ first: Described.Player) async {
        var current: Described.Player? = first
        while let player = current, !isClosed {
            for await event in player.events { if self.player === player { handle(event) } }
            guard !isClosed else { return }
            self.player = nil
            wishes.connectionLost()
            playback?.control.connectionLost()
            playback?.samples?.connectionLost()
            await player.close()
            current = await reconnect()
        }
    }

    private func handle(_ event: PlayerEvent) {
        switch event {
        case .level(let level): take(level)
        case .playback(let snapshot, let run):
            guard let playback = running(run) else { return }
            playback.control.settle(PlayerWish.Kind.allCases.filter { $0.isAboutMedia && !wishes.isPending($0) })
            playback.control.update(snapshot)
            if snapshot.isReady { playback.started() }
        case .properties(let new):
            guard new != properties else { return }
            properties = new
            device = device.with(new)
            host.updateDevices([device])
        case .data(let data, let run):
            guard let playback = running(run), let application = playback.application else { return }
            host.receiveData(data, fromApplication: application, session: playback.session)
        case .quality(let quality, let run):
            if let playback = running(run) { host.reportQuality(quality, forSession: playback.session) }
        case .ended(let ending, let run):
            guard let playback, playback.run == run else { return }
            end(playback, ending)
        }
    }

    private func running(_ run: PlaybackRun) -> PlaybackInSession? {
        playback.flatMap { $0.run == run && !$0.isOver ? $0 : nil }
    }

    // MARK: Reconnecting

    /// Connects to the device again.
    ///
    /// - Returns: `nil` if the device is no longer in use or can't be reached.
    private func reconnect() async -> Described.Player? {
        reconnection.lost()
        var last = lastLoss ?? MediaDeviceError.notConnected
        while !isClosed, await reconnection.pause() {
            guard !isClosed else { return nil }
            do throws(PlayerOpeningError) {
                let player = try await described.open(device, secret: secret.map(PlayerSecret.stored) ?? .none)
                guard !isClosed else {
                    await player.close()
                    return nil
                }
                returned(player)
                return player
            } catch {
                forgetSecret(refusedBy: error)
                last = error.asDeviceError
                guard last.code == .connectionFailed || last.code == .deviceInUse else { break }
            }
        }
        giveUp(last)
        return nil
    }

    /// Removes the stored secret if the device refused it. The person is asked for another one only at the next
    /// activation.
    private func forgetSecret(refusedBy error: PlayerOpeningError) {
        switch error {
        case .secretRequired, .secretRejected:
            if let secret, host.credential(for: device) == secret { host.setCredential(nil, for: device) }
        case .failed: break
        }
    }

    private func returned(_ player: Described.Player) {
        self.player = player
        lastLoss = nil
        inOrder { [self] in
            if let playback, !playback.isOver, playback.isLoaded { await adopt(playback, on: player) }
            guard self.player === player else { return }
            if lastLoss == nil { reconnection.established() }
            wishes.connected(to: player)
        }
    }

    private func giveUp(_ error: MediaDeviceError) {
        guard !isClosed else { return }
        isGivenUp = true
        wishes.stop()
        if let playback, !playback.isOver { fail(playback, error) }
        for session in sessions.values { host.failedToActivateDevice(device, session: session, error: error) }
    }
}

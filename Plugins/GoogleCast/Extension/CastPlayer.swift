import DeviceConnections
import Foundation
import GoogleCastProtocol
import JSONValues
import PlaybackKit

/// A device in use. It reports every change by itself, so that nothing is polled.
actor CastPlayer: LiveVideoPlayer {
    struct Current {
        let run: PlaybackRun
        var course: CastRun
    }

    nonisolated let events: AsyncStream<PlayerEvent>
    let sink: AsyncStream<PlayerEvent>.Continuation
    let connection: DeviceConnection<CastConnectionMachine>
    let name: String
    private let hasScreen: Bool
    private let isGroup: Bool
    var current: Current? {
        didSet { if current?.run != oldValue?.run { closeLive() } }
    }
    /// The live sound of the current run, or the screen.
    var live: (any CastLiveStream)?
    /// The app that plays, and whether this computer started it.
    var application: CastApplication?
    var hasLaunched = false
    /// The media of the app, ours or another sender's.
    var media: CastMediaStatus?
    /// The apps that run.
    private var applications: [CastApplication] = []
    private var group = CastGroup()
    private var volume: CastVolume?
    private var listening: Task<Void, Never>?
    private var isClosed = false

    init(_ connection: DeviceConnection<CastConnectionMachine>, name: String, hasScreen: Bool, isGroup: Bool) {
        self.connection = connection
        self.name = name
        self.hasScreen = hasScreen
        self.isGroup = isGroup
        (events, sink) = PlayerEvent.makeStream()
        Task { await begin() }
    }

    private func begin() {
        guard !isClosed else { return }
        listening = Task { [weak self, connection] in
            for await notification in connection.notifications { await self?.heard(notification) }
            await self?.close()
        }
        // Its answer and all later reports are notifications.
        if isGroup { Task { _ = try? await ask(.groupStatus) } }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        closeLive()
        listening?.cancel()
        sink.finish()
        Task { [connection] in await connection.close() }
    }

    // MARK: Playback

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        if let refusal = CastMedia.refusal(media, by: name, hasScreen: hasScreen) { throw refusal }
        let application = try await enterApplication(CastNames.mediaReceiver)
        current = Current(run: run, course: CastRun())
        let answer = try await send(.load(CastMedia.loadFields(media), on: application), loading: media.url)
        guard let session = CastMediaStatus.session(of: answer) else { throw CastRefusal.timedOut.asDeviceError() }
        current?.course.session = session
        // Its notification may come later than this answer.
        self.media = CastMediaStatus.merged(answer, into: self.media, now: Self.now)
        judge()
        return try? JSONEncoder().encode(
            CastToken(application: application.sessionID, media: session, hasLaunched: hasLaunched))
    }

    /// Connects to an app, after starting it if necessary. If it runs already, it isn't started anew: that would end
    /// another sender's session before the new media is accepted.
    func enterApplication(_ identifier: String) async throws(MediaDeviceError) -> CastApplication {
        let status = CastReceiverStatus(try await send(.receiverStatus))
        if let running = status.application(identifier) {
            if running.sessionID != application?.sessionID { try await enter(running, hasLaunched: false) }
            return running
        }
        let own = identifier == CastNames.mediaReceiver ? nil : identifier
        let answer: JSON
        do throws(CastRefusal) { answer = try await ask(.launch(identifier)) } catch {
            // A device that has just left another app says so once.
            guard case .launch(.cancelled) = error else { throw error.asDeviceError(application: own) }
            answer = try await send(.launch(identifier), application: own)
        }
        guard let launched = CastReceiverStatus(answer).application(identifier) else {
            throw CastRefusal.applicationEnded.asDeviceError()
        }
        try await enter(launched, hasLaunched: true)
        return launched
    }

    func enter(_ new: CastApplication, hasLaunched: Bool) async throws(MediaDeviceError) {
        application = new
        self.hasLaunched = hasLaunched
        media = nil
        _ = try await send(.connect(to: new.transportID))
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let token = token.flatMap { try? JSONDecoder().decode(CastToken.self, from: $0) }
        if let token, token.isApplication == true { return try await adoptApplication(token, as: run) }
        let status = CastReceiverStatus(try await send(.receiverStatus))
        guard let running = status.application(CastNames.mediaReceiver),
            token == nil || token?.application == running.sessionID
        else { return false }
        try await enter(running, hasLaunched: token?.hasLaunched ?? false)
        let answer = try await send(.mediaStatus(of: running.transportID))
        self.media = CastMediaStatus.merged(answer, into: self.media, now: Self.now)
        guard let found = self.media, found.state != .idle,
            token.map({ $0.media == found.session }) ?? (found.contentID == media.url.absoluteString)
        else { return false }
        current = Current(run: run, course: CastRun(session: found.session))
        judge()
        return true
    }

    func stop(_ run: PlaybackRun) async {
        guard let ours = current, ours.run == run else { return }
        current = nil
        if ours.course.kind == .application {
            guard hasLaunched, let application else { return }
            _ = try? await ask(.stopApplication(application.sessionID))
            return
        }
        guard let application, let session = ours.course.session, media == nil || media?.session == session else {
            return
        }
        _ = try? await ask(.media("STOP", session: session, on: application))
        // The screen that this computer switched on goes back to its usual picture.
        guard hasLaunched, current == nil, self.application == application else { return }
        _ = try? await ask(.stopApplication(application.sessionID))
    }

    // MARK: Requests of people

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        // The device reports the new state before it answers, and only a report after the request confirms or corrects it.
        defer { Task { reportAgain() } }
        switch wish {
        case .setVolume(let level):
            let volume = try await settableVolume()
            _ = try await send(.setVolume(volume.settable(level)))
        case .changeVolume(let steps):
            let volume = try await settableVolume()
            _ = try await send(.setVolume(volume.settable(volume.level + Double(steps) * volume.step)))
        case .setMuted(let isMuted):
            _ = try await settableVolume()
            _ = try await send(.setMuted(isMuted))
        case .setPlaying(let isPlaying):
            if let live { return try await live.setPlaying(isPlaying) }
            try await command(isPlaying ? "PLAY" : "PAUSE", needs: isPlaying ? nil : .pause)
        case .seek(let position): try await command("SEEK", ["currentTime": .number(position)], needs: .seek)
        case .setSpeed(let speed):
            try await command("SET_PLAYBACK_RATE", ["playbackRate": .number(speed)], needs: .playbackRate)
        case .selectAudio(let track): try await selectTrack(track, "AUDIO")
        case .selectSubtitles(let track): try await selectTrack(track, "TEXT")
        case .scan, .selectAudioDescription:
            throw MediaDeviceError(.notSupported, "“\(name)” can't do that.")
        }
    }

    private func settableVolume() async throws(MediaDeviceError) -> CastVolume {
        // The first request may come before the first report.
        if volume == nil, let told = CastReceiverStatus(try await send(.receiverStatus)).volume { report(told) }
        if let volume, volume.control != .fixed { return volume }
        throw MediaDeviceError(.notSupported, "The volume of “\(name)” can't be changed over the network.")
    }

    private func selectTrack(_ track: String?, _ type: String) async throws(MediaDeviceError) {
        guard let tracks = media?.activeTracks(selecting: track.flatMap { Int($0) }, of: type) else { return }
        let numbers = tracks.map { JSON.number(Double($0)) }
        try await command("EDIT_TRACKS_INFO", ["activeTrackIds": .array(numbers)], needs: .editTracks)
    }

    private func command(
        _ name: String, _ fields: [String: JSON] = [:], needs feature: CastMediaStatus.Commands?
    ) async throws(MediaDeviceError) {
        guard let session = current?.course.session, let application else {
            throw MediaDeviceError(.deviceRefused, "“\(self.name)” hasn't begun to play yet.")
        }
        if let feature, let media, media.session == session, !media.commands.contains(feature) {
            throw MediaDeviceError(.notSupported, "“\(self.name)” can't do that with this media.")
        }
        _ = try await send(.media(name, fields, session: session, on: application))
    }

    // MARK: Reports of the device

    private func heard(_ notification: CastNotification) {
        switch notification {
        case .receiver(let status):
            applications = status.applications
            reportProperties()
            if let new = status.volume, new != volume { report(new) }
            if let application, !status.applications.contains(where: { $0.sessionID == application.sessionID }) {
                checkApplication(isClosed: false)
            }
        case .media(let json, let transport):
            guard transport == application?.transportID else { return }
            media = CastMediaStatus.merged(json, into: media, now: Self.now)
            judge()
        case .closed(let transport):
            if transport == application?.transportID { checkApplication(isClosed: true) }
        case .group(let json):
            group.received(json)
            reportProperties()
        case .message(let payload, let namespace, let transport): received(payload, namespace, transport)
        }
    }

    /// Reports what others play and the devices of a group.
    private func reportProperties() {
        guard !isClosed else { return }
        let isOurs = current.map { $0.course.kind != .others } ?? false
        var properties = ["playing": isOurs ? "" : applications.lazy.compactMap(\.activity).first ?? ""]
        for member in group.members {
            let level = member.volume.map { $0.isMuted ? "muted" : "\(Int(($0.level * 100).rounded())) %" } ?? "0 %"
            properties["member " + CastDevices.identifier(member.identity).uuidString] =
                "\(level) \(member.name.prefix(100))"
        }
        sink.yield(.properties(properties))
    }

    /// Asks whether the app still runs, and which one took its place: a report may be older than the start of the app.
    private func checkApplication(isClosed: Bool) {
        guard let application else { return }
        Task {
            let answer = try? await ask(.receiverStatus)
            guard self.application?.sessionID == application.sessionID else { return }
            let running = answer.map { CastReceiverStatus($0).applications } ?? []
            guard isClosed || answer != nil && !running.contains(where: { $0.sessionID == application.sessionID })
            else { return }
            leave(successor: running.first { !$0.isIdle && $0.sessionID != application.sessionID })
        }
    }

    private func leave(successor: CastApplication?) {
        application = nil
        media = nil
        if case .ended(let ending)? = current?.course.applicationEnded(successor: successor?.name) { end(ending) }
    }

    private func report(_ volume: CastVolume) {
        self.volume = volume
        let isFixed = volume.control == .fixed
        sink.yield(
            .level(PlayerLevel(volume: isFixed ? nil : volume.level, isMuted: isFixed ? nil : volume.isMuted)))
    }

    private func reportAgain() {
        guard !isClosed else { return }
        if let volume { report(volume) }
        judge()
    }

    func judge() {
        guard let run = current?.run, let verdict = current?.course.observed(media) else { return }
        switch verdict {
        case .unrelated: break
        case .playing: if let media { sink.yield(.playback(media.snapshot, of: run)) }
        // Another app ends the media first, and is seen only afterwards.
        case .ended(.stopped): Task { await end(run, after: application) }
        case .ended(let ending): end(ending)
        }
    }

    /// Ends a run whose media was stopped, with the name of the app that took its place.
    private func end(_ run: PlaybackRun, after application: CastApplication?) async {
        let answer = try? await ask(.receiverStatus)
        guard current?.run == run else { return }
        let running = answer.map { CastReceiverStatus($0).applications } ?? []
        let isThere = running.contains { $0.sessionID == application?.sessionID }
        let successor = isThere ? nil : running.first { !$0.isIdle }
        end(successor.map { .takenOver(by: $0.name) } ?? .stopped)
    }

    func end(_ ending: PlaybackEnding) {
        guard let run = current?.run else { return }
        current = nil
        sink.yield(.ended(ending, of: run))
        reportProperties()
    }

    // MARK: Requests

    func ask(_ request: CastRequest) async throws(CastRefusal) -> JSON {
        let response: CastConnectionMachine.Response
        do throws(TransportFailure) { response = try await connection.request(request) } catch {
            throw .transport(error)
        }
        return try response.get()
    }

    func send(
        _ request: CastRequest, loading url: URL? = nil, application: String? = nil
    ) async throws(MediaDeviceError) -> JSON {
        do throws(CastRefusal) { return try await ask(request) } catch {
            throw error.asDeviceError(loading: url, application: application)
        }
    }

    static var now: Double { CMClockGetTime(.hostTimeClock).seconds }
}

/// The token by which a playback is recognized after a restart of the extension or the host.
struct CastToken: Codable, Hashable {
    /// The session of the app on the device.
    let application: String
    /// The session of the media in the app.
    let media: Int
    let hasLaunched: Bool
    /// `true` for an app of its own, which has no media.
    var isApplication: Bool?
}

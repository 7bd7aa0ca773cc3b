import Foundation
import JSONValues
import KodiProtocol
import PlaybackKit

/// A Kodi in use.
///
/// Over TCP the player reads its state after each notification, and every ten seconds during playback; over HTTP every
/// second.
actor KodiPlayer: RemotePlayer {
    private struct Current {
        let run: PlaybackRun
        var state: KodiRun
    }

    nonisolated let events: AsyncStream<PlayerEvent>
    nonisolated let secretToStore: Data?
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private let link: any KodiLink
    private let tells: Bool
    private var current: Current?
    /// The current playback of Kodi, ours or another.
    private var seen: KodiState?
    /// A Boolean value that indicates whether a dialog was on the screen when our media was opened.
    private var hadDialogue = false
    private var isClosed = false
    private var refresher: StateRefresher?
    private var listening: Task<Void, Never>?

    init(_ link: any KodiLink, secretToStore: Data?) {
        self.link = link
        self.secretToStore = secretToStore
        tells = link.notifications != nil
        (events, sink) = PlayerEvent.makeStream()
        Task { await begin() }
    }

    private func begin() {
        guard !isClosed else { return }
        refresher = StateRefresher { [weak self] in await self?.refresh() }
        guard let notifications = link.notifications else { return }
        listening = Task { [weak self] in
            for await notification in notifications { await self?.heard(notification) }
            await self?.close()
        }
    }

    // MARK: Playback

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        var parameters: [String: JSON] = ["item": ["file": .string(media.url.absoluteString)]]
        if let start = media.startPosition, start > 0 { parameters["options"] = ["resume": KodiState.time(start)] }
        hadDialogue = (try? await showsDialogue()) ?? false
        current = Current(run: run, state: KodiRun(file: media.url.absoluteString, tells: tells, now: Self.now))
        _ = try await call(KodiCall("Player.Open", .object(parameters)))
        refresher?.request()
        return nil
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let file = media.url.absoluteString
        seen = try await readState()
        guard seen?.file == file else { return false }
        current = Current(run: run, state: KodiRun(file: file, tells: tells, isAdopted: true, now: Self.now))
        report()
        refresher?.request()
        return true
    }

    func stop(_ run: PlaybackRun) async {
        guard let ours = current, ours.run == run else { return }
        current = nil
        // Another client may play other media by now.
        guard let state = try? await readState(), state.file == ours.state.file else { return }
        _ = try? await call(KodiCall("Player.Stop", ["playerid": .number(Double(state.player))]))
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        refresher?.stop()
        listening?.cancel()
        sink.finish()
        Task { [link] in await link.close() }
    }

    // MARK: Wishes

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        defer { refresher?.request() }
        switch wish {
        case .setVolume(let level):
            _ = try await call(
                KodiCall("Application.SetVolume", ["volume": .number((level * 100).rounded())]))
        case .changeVolume(let steps):
            for _ in 0..<min(20, abs(steps)) {
                _ = try await call(
                    KodiCall("Application.SetVolume", ["volume": steps > 0 ? "increment" : "decrement"]))
            }
        case .setMuted(let isMuted): _ = try await call(KodiCall("Application.SetMute", ["mute": .bool(isMuted)]))
        case .setPlaying(true) where (seen?.snapshot.scanSpeed ?? 0) != 0: try await playOn()
        case .setPlaying(let plays): try await player("Player.PlayPause", ["play": .bool(plays)])
        case .seek(let position): try await player("Player.Seek", ["value": ["time": KodiState.time(position)]])
        case .scan(0): try await playOn()
        case .scan(let speed): try await player("Player.SetSpeed", ["speed": .number(speed)])
        case .selectAudio(let track):
            guard let index = track.flatMap(Double.init) else { return }
            try await player("Player.SetAudioStream", ["stream": .number(index)])
        case .selectSubtitles(let track):
            let index = track.flatMap(Double.init)
            try await player("Player.SetSubtitle", ["subtitle": index.map { .number($0) } ?? "off", "enable": true])
        case .setSpeed, .selectAudioDescription:
            throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "Kodi can't do that.")
        }
    }

    /// Ends a scan. After one backward, Kodi would play on from where it has read to, not from the picture that it shows.
    private func playOn() async throws(MediaDeviceError) {
        if let shown = try await readState(), shown.speed < 0 {
            // Only a paused Kodi seeks to the position rather than on from the one it has read to.
            try await player("Player.SetSpeed", ["speed": 0])
            try await player("Player.Seek", ["value": ["time": KodiState.time(shown.position)]])
        }
        try await player("Player.SetSpeed", ["speed": 1])
    }

    /// Calls a method about the media that plays, if it is ours.
    private func player(_ method: String, _ parameters: [String: JSON]) async throws(MediaDeviceError) {
        guard let ours = current else { return }
        if seen?.file != ours.state.file { seen = try await readState() }
        guard let seen, seen.file == ours.state.file else {
            throw MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: "Kodi hasn't begun to play yet.")
        }
        _ = try await call(
            KodiCall(method, .object(parameters.merging(["playerid": .number(Double(seen.player))]) { own, _ in own })))
    }

    // MARK: Notifications of Kodi

    private func heard(_ notification: KodiNotification) {
        if let ending = current?.state.heard(notification) { end(ending) }
        switch notification.method {
        case "Application.OnVolumeChanged": level(notification.data)
        // It is asked again when it is awake.
        case "System.OnQuit", "System.OnRestart", "System.OnSleep": close()
        default: if notification.method.hasPrefix("Player.") { refresher?.request() }
        }
    }

    /// Reads the state.
    ///
    /// - Returns: The pause until the next time.
    private func refresh() async -> Duration? {
        do throws(MediaDeviceError) {
            level(try await call(Self.levelCall))
            seen = try await readState()
            let mayBeStuck = current != nil && seen == nil && !hadDialogue
            let isStuck = mayBeStuck ? try await showsDialogue() : false
            guard let verdict = current?.state.observed(seen, hasComplained: isStuck, now: Self.now) else {
                return tells ? nil : .seconds(3)
            }
            switch verdict {
            case .waiting: return .seconds(1)
            case .playing:
                report()
                // Kodi doesn't announce where a scan reaches the beginning.
                if (seen?.snapshot.scanSpeed ?? 0) != 0 { return .seconds(1) }
            case .ended(let ending): end(ending)
            }
            return tells ? .seconds(10) : .seconds(1)
        } catch {
            if error.code == .connectionFailed || error.code == .authorizationFailed { close() }
            // Playback ended between two requests.
            return .seconds(1)
        }
    }

    private static let levelCall = KodiCall("Application.GetProperties", ["properties": ["volume", "muted"]])

    /// Reads the level, which a relative change needs.
    func readLevel() async {
        if let answer = try? await call(Self.levelCall) { level(answer) }
    }

    private func level(_ json: JSON) {
        guard let volume = json["volume"]?.number, let isMuted = json["muted"]?.bool else { return }
        sink.yield(.level(PlayerLevel(volume: max(0, min(1, volume / 100)), isMuted: isMuted)))
    }

    private func report() {
        guard let current, let seen, seen.file == current.state.file else { return }
        sink.yield(.playback(seen.snapshot, of: current.run))
    }

    private func end(_ ending: PlaybackEnding) {
        guard let run = current?.run else { return }
        current = nil
        sink.yield(.ended(ending, of: run))
    }

    // MARK: Calls

    private func readState() async throws(MediaDeviceError) -> KodiState? {
        let players = try await call(KodiCall("Player.GetActivePlayers")).array ?? []
        // Pictures have a player, too.
        let media = players.first { $0["type"]?.string == "video" } ?? players.first { $0["type"]?.string == "audio" }
        guard let number = media?["playerid"]?.number else { return nil }
        let properties = try await call(
            KodiCall("Player.GetProperties", ["playerid": .number(number), "properties": KodiState.properties]))
        let time = Self.now
        let item = try await call(
            KodiCall("Player.GetItem", ["playerid": .number(number), "properties": KodiState.itemProperties]))
        return KodiState(player: Int(number), properties: properties, item: item["item"] ?? .null, time: time)
    }

    private func showsDialogue() async throws(MediaDeviceError) -> Bool {
        let name = "Window.IsActive(okdialog)"
        let answer = try await call(KodiCall("XBMC.GetInfoBooleans", ["booleans": [.string(name)]]))
        return answer[name]?.bool ?? false
    }

    private func call(_ call: KodiCall) async throws(MediaDeviceError) -> JSON {
        do throws(KodiFailure) { return try await link.call(call) } catch { throw error.asDeviceError(.sessionFailed) }
    }

    private static var now: Double { CMClockGetTime(.hostTimeClock).seconds }
}

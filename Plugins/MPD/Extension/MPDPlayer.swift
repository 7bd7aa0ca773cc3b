import DeviceConnections
import Foundation
import Logging
import MPDProtocol
import PlaybackKit

/// A server in use.
///
/// There is no polling, except until a song is heard: the state is read when the server reports a change, and after our
/// commands. The person's queue
/// stays as it is: our song is added next to the current one (``MPDPlacement``), options are not changed, and the song
/// is removed again however the run ends.
actor MPDPlayer: RemotePlayer {
    /// The song of a run.
    private struct Current {
        let run: PlaybackRun
        let media: PlayableMedia
        var tracker: MPDSongTracker
        /// A Boolean value that indicates whether the seek to the start position was sent.
        var hasSeeked = false
    }

    nonisolated let events: AsyncStream<PlayerEvent>
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private let link: MPDLink
    private var current: Current?
    private var status: MPDStatus
    private var refresher: StateRefresher?
    private var listening: Task<Void, Never>?
    private var removal: Task<Void, Never>?
    private var isClosed = false
    private var commandsInFlight = 0
    /// The number of answered commands: a status requested before the latest answer doesn't show its effect.
    private var answered = 0

    init(_ link: MPDLink, _ observation: MPDLink.Observation) {
        self.link = link
        status = observation.status
        (events, sink) = PlayerEvent.makeStream()
        sink.yield(.level(observation.status.level))
        Task { await begin() }
    }

    private func begin() {
        guard !isClosed else { return }
        refresher = StateRefresher { [weak self] in
            await self?.refresh()
            return await self?.isBeginning == true ? Self.nextLook : nil
        }
        listening = Task { [weak self, link] in
            for await _ in link.notifications { await self?.refresher?.request() }
            self?.sink.finish()
        }
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        listening?.cancel()
        await removal?.value
        refresher?.stop()
        sink.finish()
        await link.close()
    }

    // MARK: Playback

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        let previous = current
        current = nil
        defer { if let previous { remove(previous.tracker.songID, previous.tracker.address) } }
        let address = media.url.absoluteString
        var added: Int?
        do throws(MPDError) {
            let id = try await add(address)
            added = id
            await tag(id, media)
            // An error of an earlier song would be taken for ours.
            let clearing = link.permissions.allows("clearerror") ? [MPDCommand("clearerror")] : []
            _ = try await perform(clearing + [MPDCommand("playid", String(id))])
            current = Current(run: run, media: media, tracker: MPDSongTracker(songID: id, address: address))
            refresher?.request()
            return MPDSongToken(song: id, serverStart: link.serverStart).data
        } catch {
            if let added { remove(added, address) }
            throw MediaDeviceError(starting: error)
        }
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let address = media.url.absoluteString
        let earlier = token.flatMap(MPDSongToken.init)
        do throws(MPDError) {
            let observation = try await link.observe()
            var tracker = MPDSongTracker(songID: earlier?.song ?? 0, address: address)
            // A server that was restarted has given its songs new numbers.
            let isSameSong =
                earlier.map { observation.song?.id == $0.song || !$0.isOf(serverStart: link.serverStart) } ?? true
            guard isSameSong, tracker.adopt(current: observation.song, status: observation.status) else {
                if let earlier { remove(earlier.song, address) }
                return false
            }
            // Its start position is long past.
            current = Current(run: run, media: media, tracker: tracker, hasSeeked: true)
            take(observation)
            return true
        } catch {
            throw MediaDeviceError(error, .connectionFailed)
        }
    }

    func describe(_ media: PlayableMedia, of run: PlaybackRun) async {
        guard let current, current.run == run, link.permissions.allows("cleartagid") else { return }
        do throws(MPDError) {
            _ = try await perform([MPDCommand("cleartagid", String(current.tracker.songID))])
        } catch {
            return log.info("the tags were not removed", metadata: ["reason": "\(error.sentence)"])
        }
        await tag(current.tracker.songID, media)
    }

    func stop(_ run: PlaybackRun) async {
        if let current, current.run == run {
            self.current = nil
            remove(current.tracker.songID, current.tracker.address)
        }
        await removal?.value
    }

    private func add(_ address: String) async throws(MPDError) -> Int {
        let status = try MPDStatus(try await link.perform([MPDCommand("status")]).first)
        let placement = MPDPlacement(status, version: link.version)
        let part: MPDReply.Part
        do throws(MPDError) {
            part = try await perform([placement.command(adding: address)]).first
        } catch .refused(let refusal) where placement != .last && refusal.isAboutPlace {
            // The song that was current a moment ago is gone.
            part = try await perform([MPDPlacement.last.command(adding: address)]).first
        }
        guard let id = part["Id"].flatMap({ Int($0) }) else { throw .transport(.malformed("addid without an Id")) }
        return id
    }

    /// Sends the app's title to the server for other clients; a server that can't store it plays the song all the same.
    private func tag(_ id: Int, _ media: PlayableMedia) async {
        guard link.permissions.allows("addtagid") else { return }
        for (name, value) in [("title", media.title), ("artist", media.artist)] {
            guard let value, !value.isEmpty else { continue }
            do throws(MPDError) {
                _ = try await perform([MPDCommand("addtagid", String(id), name, value)])
            } catch {
                log.info("a tag was refused", metadata: ["tag": "\(name)", "reason": "\(error.sentence)"])
            }
        }
    }

    /// Takes a song of ours out of the queue, and stops the player first if it is on it: otherwise the removal would make
    /// the server play the person's next song.
    private func remove(_ id: Int, _ address: String) {
        removal = Task { [removal] in
            await removal?.value
            do throws(MPDError) {
                let reply = try await link.perform([MPDCommand("status"), MPDCommand("playlistid", String(id))])
                // After a restart of the server the number may be that of one of the person's songs.
                guard MPDSong(reply.parts[1])?.file == address else { return }
                let stop = try MPDStatus(reply.parts[0]).isActive(id) ? [MPDCommand("stop")] : []
                _ = try await perform(stop + [MPDCommand("deleteid", String(id))])
            } catch .refused(let refusal) where refusal.code == .noExist {
                // Another client cleared the queue, or the server removes played songs.
            } catch {
                log.info("the song stays in the queue", metadata: ["reason": "\(error.sentence)"])
            }
        }
    }

    // MARK: Wishes

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        switch wish {
        case .setVolume(let level): try await command("setvol", Self.percent(level))
        case .changeVolume(let steps):
            try await command("setvol", Self.percent((status.level.volume ?? 0) + 0.05 * Double(steps)))
        case .setPlaying(let isPlaying): if current != nil { try await command("pause", isPlaying ? "0" : "1") }
        case .seek(let position): if current != nil { try await command("seekcur", Self.time(position)) }
        case .setSpeed, .scan, .setMuted, .selectAudio, .selectAudioDescription, .selectSubtitles:
            throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "An MPD server can't do that.")
        }
    }

    private func command(_ name: String, _ argument: String) async throws(MediaDeviceError) {
        do throws(MPDError) {
            _ = try await perform([MPDCommand(name, argument)])
        } catch {
            throw MediaDeviceError(error, .sessionFailed)
        }
    }

    /// Performs commands that change the server; the state that is reported next includes their effect.
    private func perform(_ commands: [MPDCommand]) async throws(MPDError) -> MPDReply {
        commandsInFlight += 1
        defer {
            commandsInFlight -= 1
            answered += 1
            if commandsInFlight == 0 { refresher?.request() }
        }
        return try await link.perform(commands)
    }

    private static func percent(_ level: Double) -> String { String(Int((max(0, min(1, level)) * 100).rounded())) }

    /// In milliseconds: a shorter number would be written with an exponent.
    private static func time(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }

    // MARK: Changes of the server

    /// The pause before the state is read again while a song that plays isn't heard, of which the server reports nothing.
    private static let nextLook = Duration.milliseconds(250)

    private var isBeginning: Bool { current?.tracker.verdict == .playing && status.isBeginning }

    private func refresh() async {
        guard commandsInFlight == 0 else { return }
        let before = answered
        do throws(MPDError) {
            let observation = try await link.observe()
            // The command answered meanwhile reads the state itself.
            if answered == before, commandsInFlight == 0 { take(observation) }
        } catch {
            // The kit closes it, and reconnects.
            sink.finish()
        }
    }

    private func take(_ observation: MPDLink.Observation) {
        status = observation.status
        sink.yield(.level(status.level))
        guard let run = current?.run, let verdict = current?.tracker.observe(status) else { return }
        switch verdict {
        case .opening, .playing:
            sink.yield(.playback(PlaybackSnapshot(observation, isDecoding: verdict == .playing), of: run))
            if verdict == .playing { seekToBeginning() }
        // The server does not tell an end from a stop.
        case .ended: end(.unexplained)
        case .failed(let failure): end(.failed(MediaDeviceError(failure)))
        }
    }

    private func seekToBeginning() {
        guard let media = current?.media, current?.hasSeeked == false else { return }
        current?.hasSeeked = true
        guard let position = media.startPosition, position > 0, let duration = status.duration else { return }
        Task {
            do throws(MediaDeviceError) { try await perform(.seek(min(position, duration))) } catch {
                log.info("it plays from its beginning", metadata: ["reason": "\(error.reason ?? "")"])
            }
        }
    }

    private func end(_ ending: PlaybackEnding) {
        guard let ended = current else { return }
        current = nil
        sink.yield(.ended(ending, of: ended.run))
        remove(ended.tracker.songID, ended.tracker.address)
    }
}

extension PlaybackSnapshot {
    fileprivate init(_ observation: MPDLink.Observation, isDecoding: Bool) {
        let (status, song) = (observation.status, observation.song)
        let duration = status.duration ?? song?.duration
        self.init(isPlaying: status.state == .play, position: status.elapsed ?? 0, duration: duration)
        isReady = isDecoding
        isBuffering = !isDecoding || status.isBeginning
        isLive = isDecoding && duration == nil
        title = song?.displayTitle
        subtitle = song?.displaySubtitle
    }
}

extension MPDStatus {
    /// MPD has no mute, and taking the level away would lose it for every other client.
    fileprivate var level: PlayerLevel { PlayerLevel(volume: volume.map { Double($0) / 100 }, isMuted: nil) }
}

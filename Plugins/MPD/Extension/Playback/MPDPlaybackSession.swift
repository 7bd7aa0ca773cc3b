import MPDProtocol
import MediaDevice

/// One address played on a server, from its place in the queue to its removal from it.
///
/// The person's queue is left as it is: the song is put beside what plays (``MPDPlacement``), options are not touched, and
/// the song is taken out again however the session ends.
@MainActor
final class MPDPlaybackSession {
    enum Report: Sendable {
        /// The server's number for the song; before the others, and again when a restarted server gave it another one.
        case queued(song: Int)
        /// The server plays it, or still opens it after ``openingGrace``. At most once, before the others.
        case started
        /// It reached its end, or somebody stopped it or chose something else. Final.
        case ended
        /// Final.
        case failed(MediaDeviceError)
    }

    /// How long the server may take to open the address before the session counts as started and buffering.
    static let openingGrace = Duration.seconds(3)

    let control: MPDPlaybackControl
    /// Called on the main actor.
    var onReport: (Report) -> Void = { _ in }
    private let player: MPDPlayer
    private let address: String
    private let information: MediaOutputSession.MediaInformation?
    private let clock: any Clock<Duration>
    private var tracker: MPDSongTracker?
    private var songID: Int?
    private var hasStarted = false
    private var hasSeeked = false
    private var isOver = false
    private var grace: Task<Void, Never>?
    private var removal: Task<Void, Never>?

    /// - Parameter player: Connected; the owner hands its events to ``observe(_:)`` and its siblings.
    init(
        address: String, information: MediaOutputSession.MediaInformation?, player: MPDPlayer,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.address = address
        self.information = information
        self.player = player
        self.clock = clock
        control = MPDPlaybackControl(player: player, information: information)
    }

    /// Queues the address and plays it; the outcome is reported.
    func start() async {
        guard !isOver else { return }
        do throws(MPDError) {
            let id = try await add()
            songID = id
            onReport(.queued(song: id))
            await tag(id)
            guard !isOver else { return await removeSong() }
            tracker = MPDSongTracker(songID: id, address: address)
            _ = try await player.perform(playCommands(id))
            guard !isOver else { return await removeSong() }
            grace = Task { [weak self, clock] in
                guard (try? await clock.sleep(for: Self.openingGrace)) != nil else { return }
                self?.reportStarted()
            }
        } catch {
            finish(.failed(Self.failure(error)))
        }
    }

    /// Takes up a song that an earlier process queued, if it is still what plays or is paused; it is not touched.
    ///
    /// - Parameter song: The number the server gave it; `nil` where the earlier process did not come to know it.
    func adopt(song: Int?) async {
        guard !isOver else { return }
        songID = song
        // Where it was to begin is long past.
        hasSeeked = true
        do throws(MPDError) {
            let observation = try await player.observe()
            guard !isOver else { return }
            var followed = MPDSongTracker(songID: song ?? 0, address: address)
            guard song == nil || observation.song?.id == song,
                followed.adopt(current: observation.song, status: observation.status)
            else { return finish(.ended) }
            tracker = followed
            songID = followed.songID
            onReport(.queued(song: followed.songID))
            observe(observation)
            reportStarted()
        } catch {
            // The song stays where it is: the host asks again.
            songID = nil
            finish(.failed(MediaDeviceError(error, .connectionFailed)))
        }
    }

    /// Ends it as the app asks; nothing more is reported.
    func stop() async {
        if !isOver { close(nil) }
        await removeSong()
    }

    // MARK: The server's word

    func observe(_ observation: MPDPlayer.Observation) {
        guard !isOver, var followed = tracker else { return }
        let verdict = followed.observe(observation.status)
        tracker = followed
        switch verdict {
        case .opening, .playing:
            control.update(observation, isDecoding: verdict == .playing)
            if verdict == .playing {
                reportStarted()
                seekToBeginning(observation.status)
            }
        case .ended:
            reportStarted()
            finish(.ended)
        case .failed(let failure):
            finish(.failed(Self.failure(failure)))
        }
    }

    func connectionLost() {
        if !isOver, tracker != nil { control.connectionLost() }
    }

    /// Takes the session up again where the server still plays our address, whatever it calls it now.
    func connectionReturned(_ observation: MPDPlayer.Observation) {
        guard !isOver, var followed = tracker else { return }
        if followed.adopt(current: observation.song, status: observation.status) {
            tracker = followed
            if songID != followed.songID { onReport(.queued(song: followed.songID)) }
            songID = followed.songID
            observe(observation)
        } else {
            reportStarted()
            finish(.ended)
        }
    }

    func connectionGone(_ error: MPDError) {
        guard !isOver else { return }
        finish(.failed(MediaDeviceError(error, .sessionFailed)))
    }

    // MARK: Steps

    private func add() async throws(MPDError) -> Int {
        let status = try MPDStatus(try await player.query([MPDCommand("status")]).first)
        let placement = MPDPlacement(status, version: player.version)
        let part: MPDReply.Part
        do throws(MPDError) {
            part = try await player.perform([placement.command(adding: address)]).first
        } catch .refused(let refusal) where placement != .last && Self.isAboutPlace(refusal) {
            // What was current a moment ago is gone.
            part = try await player.perform([MPDPlacement.last.command(adding: address)]).first
        }
        guard let id = part["Id"].flatMap({ Int($0) }) else { throw .malformed("addid without an Id") }
        return id
    }

    private static func isAboutPlace(_ refusal: MPDRefusal) -> Bool {
        refusal.code == .playerSync || refusal.text.lowercased().contains("position")
            || refusal.text.lowercased().contains("bad song index")
    }

    /// Tells other clients of the server what the app calls it; a server that cannot take it plays it all the same.
    private func tag(_ id: Int) async {
        guard player.permissions.allows("addtagid") else { return }
        for (name, value) in [("title", information?.title), ("artist", information?.artist)] {
            guard let value, !value.isEmpty else { continue }
            do throws(MPDError) {
                _ = try await player.perform([MPDCommand("addtagid", String(id), name, value)])
            } catch {
                log.info("a tag was refused", metadata: ["tag": "\(name)", "reason": "\(error.sentence)"])
            }
        }
    }

    private func playCommands(_ id: Int) -> [MPDCommand] {
        // An error of an earlier song would be taken for ours.
        (player.permissions.allows("clearerror") ? [MPDCommand("clearerror")] : [])
            + [MPDCommand("playid", String(id))]
    }

    private func seekToBeginning(_ status: MPDStatus) {
        guard !hasSeeked else { return }
        hasSeeked = true
        guard let position = information?.startPosition, position > 0, let duration = status.duration else { return }
        player.enqueue(MPDCommand("seekcur", String(min(position, duration))))
    }

    private func reportStarted() {
        guard !hasStarted, !isOver else { return }
        hasStarted = true
        onReport(.started)
    }

    private func finish(_ outcome: Report) {
        guard !isOver else { return }
        if case .failed(let error) = outcome { close(error) } else { close(nil) }
        onReport(outcome)
        Task { await removeSong() }
    }

    private func close(_ error: MediaDeviceError?) {
        isOver = true
        grace?.cancel()
        // What comes next on the server is not what they were about.
        player.forget(["pause", "seekcur"])
        control.finish(error)
    }

    private func removeSong() async {
        if let id = songID {
            songID = nil
            removal = Task { await remove(id) }
        }
        await removal?.value
    }

    /// Takes our song out of the queue, and stops the player first if it is on it: otherwise the removal would make the
    /// server play the person's next song.
    private func remove(_ id: Int) async {
        do throws(MPDError) {
            let reply = try await player.query([MPDCommand("status"), MPDCommand("playlistid", String(id))])
            // After a restart of the server the number may be that of one of the person's songs.
            guard MPDSong(reply.parts[1])?.file == address else { return }
            let stop = try MPDStatus(reply.parts[0]).isActive(id) ? [MPDCommand("stop")] : []
            _ = try await player.perform(stop + [MPDCommand("deleteid", String(id))])
        } catch .refused(let refusal) where refusal.code == .noExist {
            // Somebody cleared the queue, or the server consumes what it has played.
        } catch {
            log.info("the song stays in the queue", metadata: ["reason": "\(error.sentence)"])
        }
    }
}

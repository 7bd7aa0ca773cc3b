import Foundation
import HostClient
import HostInterface

/// Follows one session until it ends: the progress line and keys on a terminal, JSON Lines with `--json`.
struct PlayerScreen {
    /// The distance of one arrow key, in seconds.
    private static let seekStep = 10.0
    /// Differs from those of other programs at this terminal.
    private static let pictureIdentifier = Int(getpid())

    let session: String
    private(set) var connection: HostConnection
    let output: Output
    private var region: LiveRegion?
    private var artwork = PlayerArtwork(kind: Terminal.kind)
    /// The session, as it was last.
    private(set) var last: ClientSession?
    private var message = ""
    private var pendingSeek: PendingSeek?
    /// The last request of a key: the next one waits for it, so that none overtakes another.
    private var lastRequest: Task<Result<String, HostError>, Never>?
    private var isLeft = false
    /// A Boolean value that indicates whether the terminal's answers can be read.
    private var hasKeys = false
    private var isStopped = false

    init(session: ClientSession, connection: HostConnection, output: Output) {
        self.session = session.path
        last = session
        self.connection = connection
        self.output = output
        region = Terminal.output.isInteractive && !output.isJSON ? LiveRegion(.output) : nil
    }

    /// - Throws: ``HostError`` of the session if it failed.
    mutating func run() async throws {
        let terminal = region == nil ? nil : RawTerminal()
        defer {
            // An answer that comes too late would be typed into the shell.
            if artwork.isAsked { TerminalMode.discardInput() }
            terminal?.restore()
        }
        hasKeys = terminal != nil
        if let terminal { connection.inputs.add(keys: terminal.keys) }
        if region != nil { connection.inputs.addTicks(every: .milliseconds(250)) }
        try show(isNew: true)
        defer { finish() }
        while let current = last, !current.isOver {
            guard try await follow() else { break }
        }
        if let error = last?.error, last?.state == "failed" { throw error }
    }

    /// - Returns: Whether to continue.
    private mutating func follow() async throws -> Bool {
        let input: CommandInput
        do {
            input = try await connection.next()
        } catch let error where error.code == .hostUnavailable {
            return try await followNextDaemon(after: error)
        }
        switch input {
        case .host(.session(let changed)) where changed.path == session:
            last = ended(changed)
            try show(isNew: true)
        case .host(.sessionRemoved(let removed)) where removed.path == session:
            last = ended(removed)
            try show(isNew: false)
            return false
        case .tick, .host(.device): try show(isNew: false)
        case .key(.report(let report)): perform(artwork.take(report, on: Terminal.output.size))
        case .picture(let picture, of: let address): draw(picture, of: address)
        case .key(let key): return try await press(key)
        case .interrupted: return try await stop()
        case .answer(.failure(let error)):
            message = error.message
            pendingSeek = nil
            try show(isNew: false)
        default: break
        }
        return true
    }

    /// The session's last state, at its last position: the device drops its position when playback ends.
    private func ended(_ session: ClientSession) -> ClientSession {
        guard session.isOver, let last else { return session }
        var session = session
        session.playback = last.isOver ? last.playback : last.playback.stopped(at: monotonicSeconds())
        return session
    }

    /// The daemon died, or another one took over: the device plays on, and the next daemon takes it up.
    private mutating func followNextDaemon(after error: HostError) async throws -> Bool {
        last?.state = "reconnecting"
        try show(isNew: true)
        try await connection.reconnect()
        let known = connection.view.sessions.values.first { $0.path == session && $0.source == last?.source }
        guard let known else { throw error }
        last = known
        try show(isNew: true)
        return true
    }

    private mutating func press(_ key: Key) async throws -> Bool {
        message = ""
        let client = connection.client
        switch key {
        case .interrupt, .endOfInput, .character("q"): return try await stop()
        case .character("d"):
            isLeft = true
            return false
        case .character(" "):
            request(PlaybackCommand(.setPlaying, flag: !(last?.playback.isPlaying ?? false)))
        case .left: seek(by: -Self.seekStep)
        case .right: seek(by: Self.seekStep)
        case .up, .down:
            guard let device = last.flatMap(connection.view.device) else { break }
            request { () throws(HostError) in
                try await client.changeGroupVolume(by: key == .up ? 1 : -1, device: device.path)
            }
        case .character("m"):
            guard let last else { break }
            request(PlaybackCommand(.setMuted, flag: !last.playback.isMuted))
        default: break
        }
        return true
    }

    private mutating func seek(by seconds: Double) {
        guard let playback = last?.playback else { return }
        let end = playback.timeRange.duration > 0 ? playback.timeRange.start + playback.timeRange.duration : .infinity
        let now = monotonicSeconds()
        let position = pendingSeek?.position(at: now) ?? playback.position(at: now)
        let target = min(end, max(playback.timeRange.start, position + seconds))
        pendingSeek = PendingSeek(target: target, rate: playback.isPlaying ? 1 : 0, time: now)
        request(PlaybackCommand(.seek, number: target, tolerance: 0))
    }

    private mutating func request(_ command: PlaybackCommand) {
        request { [client = connection.client, session] () throws(HostError) in
            try await client.command(command, session: session)
        }
    }

    private mutating func request(_ work: @escaping @Sendable () async throws(HostError) -> Void) {
        let task = Task { [lastRequest, session] () -> Result<String, HostError> in
            _ = await lastRequest?.value
            do throws(HostError) {
                try await work()
                return .success(session)
            } catch {
                return .failure(error)
            }
        }
        lastRequest = task
        connection.inputs.add { () throws(HostError) in try await task.value.get() }
    }

    /// Leaves the line on the screen, and says that the device continues if the person left, or the reason if playback
    /// ended neither by this command nor by itself.
    private func finish() {
        var region = region
        region?.finish()
        guard !output.isJSON, let last else { return }
        let names = DisplayText.clean(connection.view.names(of: last))
        if isLeft {
            output.notice("\(names) plays on; `mdhost stop` ends it.")
        } else if !isStopped, let reason = SessionEnd.sentence(last, on: names, at: monotonicSeconds()) {
            output.notice(reason)
        }
    }

    private mutating func stop() async throws -> Bool {
        isStopped = true
        try await connection.client.stop(session)
        if var stopped = last {
            stopped.state = "ended"
            last = ended(stopped)
        }
        try show(isNew: false)
        return false
    }

    // MARK: Artwork

    private mutating func perform(_ step: PlayerArtwork.Step?) {
        switch step {
        case .ask(let questions): Terminal.output.write(questions)
        case .request(let address, let side):
            guard let id = last?.id else { return }
            connection.inputs.add(pictureOf: address) { [client = connection.client] () throws(HostError) in
                // Playback on a device is a media session, too.
                try await client.artworkPixels(of: HostNames.mediaSessionPath("route" + id), side: side)
            }
        case .remove: region?.draw(picture: "", rows: 0, removal: artwork.removal(of: Self.pictureIdentifier))
        case nil: break
        }
    }

    private mutating func draw(_ picture: PixelPicture, of address: String) {
        let identifier = Self.pictureIdentifier
        guard let (text, rows) = artwork.text(of: picture, for: address, identifier: identifier) else { return }
        region?.draw(picture: text, rows: rows, removal: artwork.removal(of: identifier))
    }

    private mutating func show(isNew: Bool) throws {
        guard let last else { return }
        if output.isJSON {
            if isNew { try output.json(last) }
            return
        }
        guard region != nil else { return }
        if hasKeys, last.state != "starting" {
            perform(artwork.show(last.artworkURL, on: Terminal.output.size))
        }
        let line = PlaybackLine(session: last, device: connection.view.device(of: last), now: monotonicSeconds())
        var lines = [line.text(width: Terminal.output.width) { $0($1) }]
        if !message.isEmpty {
            lines.append(Style.warning(DisplayText.fit(DisplayText.clean(message), Terminal.output.width)))
        }
        region?.draw(lines)
    }
}

/// A requested position that the device may not have reported yet; further steps count from it.
struct PendingSeek {
    /// For how long it counts, in seconds; a device has reported its position by then.
    private static let lifetime = 2.0

    /// Seconds from the beginning.
    let target: Double
    let rate: Double
    /// The time of the request: `CLOCK_MONOTONIC` in seconds.
    let time: Double

    /// Returns the position that playback reaches by then; `nil` when the device's own report counts again.
    func position(at now: Double) -> Double? {
        now - time < Self.lifetime ? target + rate * (now - time) : nil
    }
}

/// The answer to `status`: what the player does and what its options are.
///
/// Unknown keys are ignored and a missing or unreadable number is absent, so older and newer servers both parse.
/// Source: MPD protocol reference, "Querying MPD's status".
package struct MPDStatus: Sendable, Hashable {
    package enum State: String, Sendable { case play, pause, stop }

    package var state: State
    /// Level `0...100`; `nil` without a mixer (older servers say −1).
    package var volume: Int?
    /// Place in the queue and identifier of the current song, also while stopped on it.
    package var songPosition: Int?
    package var songID: Int?
    /// Seconds since the song began.
    package var elapsed: Double?
    /// Seconds; `nil` for a live stream and while it is not known yet.
    package var duration: Double?
    /// `44100:16:2`; present once the song is being decoded.
    package var audioFormat: String?
    /// The player's last error, until `clearerror` or the next song that plays.
    package var error: String?
    package var queueLength: Int

    package init(
        state: State, volume: Int? = nil, songPosition: Int? = nil, songID: Int? = nil, elapsed: Double? = nil,
        duration: Double? = nil, audioFormat: String? = nil, error: String? = nil, queueLength: Int = 0
    ) {
        self.state = state
        self.volume = volume
        self.songPosition = songPosition
        self.songID = songID
        self.elapsed = elapsed
        self.duration = duration
        self.audioFormat = audioFormat
        self.error = error
        self.queueLength = queueLength
    }

    /// - Throws: ``MPDError/malformed(_:)`` without a `state` that is `play`, `pause` or `stop`.
    package init(_ part: MPDReply.Part) throws(MPDError) {
        guard let state = part["state"].flatMap(State.init(rawValue:)) else {
            throw .malformed("status without a state")
        }
        // `time` is the only source of both before 0.20; its halves are whole seconds.
        let time = part["time"]?.split(separator: ":").map { Double($0) } ?? []
        self.init(
            state: state,
            volume: part["volume"].flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil },
            songPosition: part["song"].flatMap { Int($0) },
            songID: part["songid"].flatMap { Int($0) },
            elapsed: Self.seconds(part["elapsed"]) ?? time.first.flatMap(Self.finite),
            duration: (Self.seconds(part["duration"]) ?? time.dropFirst().first.flatMap(Self.finite))
                .flatMap { $0 > 0 ? $0 : nil },
            audioFormat: part["audio"],
            error: part["error"],
            queueLength: part["playlistlength"].flatMap { Int($0) } ?? 0)
    }

    /// Whether `song` is what plays or is paused.
    package func isActive(_ song: Int) -> Bool { songID == song && state != .stop }

    static func seconds(_ text: String?) -> Double? { text.flatMap { Double($0) }.flatMap { finite($0) } }

    private static func finite(_ value: Double?) -> Double? {
        guard let value, value.isFinite, value >= 0 else { return nil }
        return value
    }
}

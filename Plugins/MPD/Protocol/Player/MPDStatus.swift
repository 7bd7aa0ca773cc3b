import DeviceConnections
/// The answer to `status`: the state and options of the player.
///
/// Unknown keys are ignored, and a missing or unreadable number is `nil`, so the answers of older and newer servers
/// parse.
///
/// Source: MPD protocol reference, "Querying MPD's status".
public struct MPDStatus: Sendable, Hashable {
    public enum State: String, Sendable { case play, pause, stop }

    public var state: State
    /// Level `0...100`; `nil` without a mixer (older servers say −1).
    public var volume: Int?
    /// Place in the queue and identifier of the current song, also while stopped on it.
    public var songPosition: Int?
    public var songID: Int?
    /// Seconds since the song began.
    public var elapsed: Double?
    /// Seconds; `nil` for a live stream and while it is not known yet.
    public var duration: Double?
    /// `44100:16:2`; present once the song is being decoded.
    public var audioFormat: String?
    /// The player's last error, until `clearerror` or the next song that plays.
    public var error: String?
    public var queueLength: Int

    /// A Boolean value that indicates whether the song is decoded but not heard yet: the output still fills its buffer.
    public var isBeginning: Bool { state == .play && audioFormat != nil && elapsed == 0 }

    public init(
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

    /// - Throws: `malformed` without a `state` that is `play`, `pause` or `stop`.
    public init(_ part: MPDReply.Part) throws(MPDError) {
        guard let state = part["state"].flatMap(State.init(rawValue:)) else {
            throw .transport(.malformed("a status without a state"))
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

    /// Returns whether `song` is playing or paused.
    public func isActive(_ song: Int) -> Bool { songID == song && state != .stop }

    static func seconds(_ text: String?) -> Double? { text.flatMap { Double($0) }.flatMap { finite($0) } }

    private static func finite(_ value: Double?) -> Double? {
        guard let value, value.isFinite, value >= 0 else { return nil }
        return value
    }
}

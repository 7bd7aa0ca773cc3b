import ReferenceProtocol

/// What a receiver is like.
public struct ReceiverSettings: Sendable, Hashable {
    /// A failure on demand: what a device does when it does not do what it should.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// Closes every connection at once.
        case connect
        /// Takes connections and commands, and never answers.
        case silent
        /// Says it is used by somebody else.
        case busy
        /// Refuses every code and key press.
        case pairing
        /// Says it cannot open what it is to play.
        case media
        /// Says it does not know the format.
        case format
        /// Breaks off after five seconds of playback.
        case playback
        /// Closes the connection after five seconds of playback.
        case disconnect
        /// Sends what is not of the protocol in answer to every command.
        case garbage
    }

    /// The name people see.
    public var name: String
    public var authorization: ReferenceAnnouncement.Authorization = .pin4
    /// Asked for with the authorization `password`.
    public var password = ""
    public var volume: ReferenceAnnouncement.Volume = .absolute
    public var kind: ReferenceAnnouncement.Kind = .tv
    public var canGroup = true
    /// As ``ReferenceAnnouncement/alsoKnownAs``.
    public var alsoKnownAs: [String] = []
    public var failures: Set<Failure> = []
    /// Where it remembers who it is and whom it is paired with.
    public var memoryFile: String
    /// Numeric address to listen on.
    public var address = "127.0.0.1"
    /// 0 for any.
    public var port = 0

    public init(name: String, memoryFile: String) {
        self.name = name
        self.memoryFile = memoryFile
    }
}

/// What the receiver shows on its own screen.
public enum ReceiverNotice: Sendable, Hashable {
    case code(String)
    /// Waits for its owner's password, or for a key press.
    case passwordWanted
    case confirmationWanted(client: String)
    case paired(client: String)
    case pairingFailed(String)
    case pairingCancelled
    case connected(client: String)
    case fetching(String)
    /// What plays; `nil` when nothing does.
    case playback(ReferencePlayback?)
    case playbackFailed(String)
    case volume(level: Double?, isMuted: Bool)
    case data(application: String, bytes: Int)
    case trouble(String)
}

/// What the person at the receiver does.
public enum ReceiverAction: Sendable, Hashable {
    case confirm(Bool)
    case togglePlayback
    case stop
    /// By so many hundredths.
    case changeVolume(Int)
    case toggleMute
}

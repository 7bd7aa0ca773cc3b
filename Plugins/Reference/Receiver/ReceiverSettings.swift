public import ReferenceProtocol

/// The settings of a simulated receiver.
public struct ReceiverSettings: Sendable, Hashable {
    /// A simulated failure.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        /// Closes every connection at once.
        case connect
        /// Accepts connections and commands, and never answers.
        case silent
        /// Reports that another client uses the device.
        case busy
        /// Refuses every code and key press.
        case pairing
        /// Reports that it couldn't open the media.
        case media
        /// Reports that it doesn't support the format.
        case format
        /// Stops with an error after five seconds of playback.
        case playback
        /// Closes the connection after five seconds of playback.
        case disconnect
        /// Answers every command with data that violates the protocol.
        case garbage
    }

    /// The name for people.
    public var name: String
    public var authorization: ReferenceAnnouncement.Authorization = .pin4
    /// The password for the authorization `password`.
    public var password = ""
    public var volume: ReferenceAnnouncement.Volume = .absolute
    public var kind: ReferenceAnnouncement.Kind = .tv
    public var canGroup = true
    /// A Boolean value that indicates whether clients can send sound, and to a television pictures, as they come.
    public var takesLive = true
    /// The path of the file for the samples that were received in time; `nil` for none.
    public var soundFile: String?
    /// The path of the file for the pictures that were received in time; `nil` for none.
    public var pictureFile: String?
    /// The identifiers of ``ReferenceAnnouncement/alsoKnownAs``.
    public var alsoKnownAs: [String] = []
    public var failures: Set<Failure> = []
    /// The path of the file in which the receiver stores its identity and its pairings.
    public var memoryFile: String
    /// The numeric address to listen on.
    public var address = "127.0.0.1"
    /// The port to listen on; 0 for any.
    public var port = 0

    public init(name: String, memoryFile: String) {
        self.name = name
        self.memoryFile = memoryFile
    }

    /// The kinds of live media that the receiver takes.
    public var live: Set<ReferenceAnnouncement.Live> {
        takesLive ? (kind == .tv ? [.sound, .picture] : [.sound]) : []
    }
}

/// A notice on the receiver's own screen.
public enum ReceiverNotice: Sendable, Hashable {
    case code(String)
    /// The receiver waits for a password.
    case passwordWanted
    case confirmationWanted(client: String)
    case paired(client: String)
    case pairingFailed(String)
    case pairingCancelled
    case connected(client: String)
    case fetching(String)
    /// The state of playback; `nil` if nothing plays.
    case playback(ReferencePlayback?)
    case playbackFailed(String)
    case volume(level: Double?, isMuted: Bool)
    case data(application: String, bytes: Int)
    case trouble(String)
}

/// An action of the person at the receiver.
public enum ReceiverAction: Sendable, Hashable {
    case confirm(Bool)
    case togglePlayback
    case stop
    /// Changes the volume by a number of hundredths.
    case changeVolume(Int)
    case toggleMute
}

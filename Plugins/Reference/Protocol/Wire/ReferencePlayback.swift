/// What plays, as a receiver tells it on every discontinuity (PROTOCOL.md, Playback).
///
/// The position holds at ``time`` and moves on at ``rate``.
public struct ReferencePlayback: Codable, Sendable, Hashable {
    /// A list of choices.
    public enum List: String, Codable, Sendable, Hashable {
        case audio, subtitles
        case audioDescription = "audio-description"
    }

    /// One choice of a list.
    public struct Option: Codable, Sendable, Hashable {
        public var id: String
        public var name: String
        /// BCP 47.
        public var language: String?

        public init(id: String, name: String, language: String? = nil) {
            self.id = id
            self.name = name
            self.language = language
        }
    }

    /// A part of the timeline.
    public struct Segment: Codable, Sendable, Hashable {
        public enum Kind: String, Codable, Sendable, Hashable {
            case primary, advertisement, bonus, credits, intro, recap, trailer, other
        }
        public var id: String
        /// Seconds.
        public var start: Double
        /// Seconds.
        public var duration: Double
        public var kind: Kind
        /// Whether it should not be skipped.
        public var isLinear: Bool

        public init(id: String, start: Double, duration: Double, kind: Kind, isLinear: Bool = false) {
            self.id = id
            self.start = start
            self.duration = duration
            self.kind = kind
            self.isLinear = isLinear
        }
    }

    /// As its client named it.
    public var id: String
    public var title: String?
    public var subtitle: String?
    /// `nil` for the receiver's own player.
    public var application: String?
    /// Seconds; `nil` where it is not known, as of a live stream.
    public var duration: Double?
    public var isLive = false
    /// Whether playback is wanted.
    public var isPlaying = false
    /// Whether it waits for data.
    public var isBuffering = false
    /// Whether it waits for `start`.
    public var isHeld = false
    /// Seconds on the timeline.
    public var position = 0.0
    /// When ``position`` holds, on the receiver's clock: the moment the line is sent.
    public var time = 0.0
    /// Seconds of content a second: 0 while it is paused, buffering or held, or its start is still to come.
    public var rate = 0.0
    /// The wanted speed.
    public var speed = 1.0
    /// The speed of a scan; 0 for none.
    public var scanSpeed = 0.0
    public var segments: [Segment] = []
    public var audio: [Option] = []
    public var audioDescription: [Option] = []
    public var subtitles: [Option] = []
    /// Identifiers of members of the lists.
    public var selected: [String: String] = [:]

    public init(id: String) { self.id = id }

    public func options(of list: List) -> [Option] {
        switch list {
        case .audio: audio
        case .audioDescription: audioDescription
        case .subtitles: subtitles
        }
    }
}

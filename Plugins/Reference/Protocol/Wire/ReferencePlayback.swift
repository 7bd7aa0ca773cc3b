/// The state of playback, which a receiver reports on every discontinuity (PROTOCOL.md, Playback).
///
/// The position is valid at ``time`` and advances at ``rate``.
public struct ReferencePlayback: Codable, Sendable, Hashable {
    /// A list of options.
    public enum List: String, Codable, Sendable, Hashable {
        case audio, subtitles
        case audioDescription = "audio-description"
    }

    /// An option of a list.
    public struct Option: Codable, Sendable, Hashable {
        public var id: String
        public var name: String
        /// The language as a BCP 47 tag.
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
        /// The start in seconds.
        public var start: Double
        /// The duration in seconds.
        public var duration: Double
        public var kind: Kind
        /// A Boolean value that indicates whether people shouldn't skip the segment.
        public var isLinear: Bool

        public init(id: String, start: Double, duration: Double, kind: Kind, isLinear: Bool = false) {
            self.id = id
            self.start = start
            self.duration = duration
            self.kind = kind
            self.isLinear = isLinear
        }
    }

    /// The identifier that the client chose.
    public var id: String
    public var title: String?
    public var subtitle: String?
    /// The running application; `nil` for the receiver's own player.
    public var application: String?
    /// The duration in seconds; `nil` if unknown, as for a live stream.
    public var duration: Double?
    public var isLive = false
    /// A Boolean value that indicates whether playback isn't paused.
    public var isPlaying = false
    /// A Boolean value that indicates whether playback waits for data.
    public var isBuffering = false
    /// A Boolean value that indicates whether playback waits for `start`.
    public var isHeld = false
    /// The position in seconds on the timeline.
    public var position = 0.0
    /// The time of ``position`` on the receiver's clock: the time at which the line is sent.
    public var time = 0.0
    /// The rate in seconds of content per second; 0 while paused, buffering or held, and before a scheduled start.
    public var rate = 0.0
    /// The requested speed.
    public var speed = 1.0
    /// The speed of a scan; 0 for none.
    public var scanSpeed = 0.0
    public var segments: [Segment] = []
    public var audio: [Option] = []
    public var audioDescription: [Option] = []
    public var subtitles: [Option] = []
    /// The identifiers of the selected options, by list.
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

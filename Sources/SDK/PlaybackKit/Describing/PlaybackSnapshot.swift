import Foundation
import MediaDevice

/// The state of a playback at one moment, as far as the device tells.
public struct PlaybackSnapshot: Sendable, Equatable {
    /// Whether playback has begun; the session counts as started from then on.
    public var isReady = true
    public var isPlaying: Bool
    /// Whether it would play, but waits for data.
    public var isBuffering = false
    /// Seconds from the beginning at ``time``.
    public var position: Double
    /// Seconds of ``/CoreMedia/CMClockGetTime(_:)`` of the host clock at which ``position`` held.
    public var time: Double
    /// Seconds; `nil` where the device does not know.
    public var duration: Double?
    public var isLive = false
    /// Whether ``PlayerWish/seek(_:)`` works.
    public var canSeek = true
    /// A multiple of normal speed; not 0.
    public var speed: Double = 1
    /// The speeds that the device accepts, in ascending order; empty where it knows normal speed only.
    public var speeds: [Double] = []
    /// What the device calls it; the app's own words come first.
    public var title: String?
    /// The artist, the series, or the channel.
    public var subtitle: String?
    public var artworkURL: URL?
    public var audio = PlaybackOptions()
    public var subtitles = PlaybackOptions()

    /// - Parameter time: Seconds of the host clock; now if left out.
    public init(isPlaying: Bool, position: Double, time: Double? = nil, duration: Double? = nil) {
        self.isPlaying = isPlaying
        self.position = position
        self.time = time ?? CMClockGetTime(.hostTimeClock).seconds
        self.duration = duration
    }

    /// How fast the position moves: ``speed`` while it plays, else 0.
    public var rate: Double { isPlaying && !isBuffering && isReady ? speed : 0 }
}

/// A list of tracks and the current one.
public struct PlaybackOptions: Sendable, Hashable {
    public var available: [PlaybackOption] = []
    /// ``PlaybackOption/id``; `nil` for none.
    public var current: String?

    public init(_ available: [PlaybackOption] = [], current: String? = nil) {
        self.available = available
        self.current = current
    }
}

/// A track.
public struct PlaybackOption: Sendable, Hashable, Identifiable {
    /// The device's own name for it, unique in its list.
    public let id: String
    /// The name for people.
    public let name: String
    /// BCP 47 or ISO 639; `nil` where unknown.
    public let language: String?

    public init(id: String, name: String, language: String? = nil) {
        self.id = id
        self.name = name
        self.language = language
    }
}

/// A device's volume and mute.
public struct PlayerLevel: Sendable, Hashable {
    /// `0...1`; `nil` where it cannot be read or set.
    public var volume: Double?
    /// `nil` where the device cannot be muted.
    public var isMuted: Bool?

    public init(volume: Double?, isMuted: Bool?) {
        self.volume = volume
        self.isMuted = isMuted
    }
}

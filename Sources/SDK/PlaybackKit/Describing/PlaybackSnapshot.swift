public import Foundation
public import MediaDevice

/// The state of playback at one time, as reported by the device.
public struct PlaybackSnapshot: Sendable, Equatable {
    /// A Boolean value that indicates whether playback has begun. The session counts as started from then on.
    public var isReady = true
    /// A Boolean value that indicates whether playback isn't paused.
    public var isPlaying: Bool
    /// A Boolean value that indicates whether playback waits for data.
    public var isBuffering = false
    /// The position at ``time``, in seconds from the beginning.
    public var position: Double
    /// The time at which ``position`` was current, in seconds of the host clock (`CMClockGetHostTimeClock()`).
    public var time: Double
    /// The seconds by which ``position`` may differ from the one that earlier snapshots predict without being a jump. The
    /// default suits devices that report whole seconds.
    public var positionTolerance: Double = 1
    /// The duration in seconds; `nil` if the device doesn't know it.
    public var duration: Double?
    /// A Boolean value that indicates whether the media is a live stream.
    public var isLive = false
    /// A Boolean value that indicates whether the media has a picture that moves.
    public var hasVideo = false
    /// A Boolean value that indicates whether the media has sound.
    public var hasAudio = true
    /// A Boolean value that indicates whether the device supports ``PlayerWish/seek(_:)`` for this media.
    public var canSeek = true
    /// The playback speed as a multiple of normal speed; never 0.
    public var speed: Double = 1
    /// The speeds that the device supports, in ascending order; empty if it supports only normal speed.
    public var speeds: [Double] = []
    /// The speed at which the device scans through the media, without or with broken sound: a multiple of normal speed,
    /// negative for backward; 0 while it doesn't scan.
    public var scanSpeed: Double = 0
    /// The speeds at which the device can scan through this media, in ascending order, negative for backward; empty if it
    /// can't.
    public var scanSpeeds: [Double] = []
    /// The parts of the media, such as chapters and advertisements, in order and without gaps; empty if the device doesn't
    /// report any.
    public var segments: [AVPlaybackUserInterfaceTimelineSegment] = []
    /// The title that the device reports. The app's own title takes precedence.
    public var title: String?
    /// The artist, series or channel that the device reports.
    public var subtitle: String?
    /// The URL of the artwork that the device reports.
    public var artworkURL: URL?
    /// The audio tracks.
    public var audio = PlaybackOptions()
    /// The audio descriptions, which play along with the audio track.
    public var audioDescriptions = PlaybackOptions()
    /// The subtitle tracks.
    public var subtitles = PlaybackOptions()

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - isPlaying: `false` if playback is paused.
    ///   - position: The position in seconds from the beginning.
    ///   - time: The time of the position, in seconds of the host clock; `nil` for now.
    ///   - duration: The duration in seconds; `nil` if unknown.
    public init(isPlaying: Bool, position: Double, time: Double? = nil, duration: Double? = nil) {
        self.isPlaying = isPlaying
        self.position = position
        self.time = time ?? HostTime.now
        self.duration = duration
    }

    /// The speed at which the position advances: ``scanSpeed`` during a scan, ``speed`` during other playback, otherwise 0.
    public var rate: Double {
        guard isPlaying, !isBuffering, isReady else { return 0 }
        return scanSpeed == 0 ? speed : scanSpeed
    }
}

/// A list of tracks and the selected one.
public struct PlaybackOptions: Sendable, Hashable {
    /// The available tracks.
    public var available: [PlaybackOption] = []
    /// The ``PlaybackOption/id`` of the selected track; `nil` for none.
    public var current: String?

    /// Creates a list of tracks.
    public init(_ available: [PlaybackOption] = [], current: String? = nil) {
        self.available = available
        self.current = current
    }
}

/// An audio or subtitle track.
public struct PlaybackOption: Sendable, Hashable, Identifiable {
    /// The device's identifier of the track, unique in its list.
    public let id: String
    /// The name for people.
    public let name: String
    /// The language as a BCP 47 or ISO 639 code; `nil` if unknown.
    public let language: String?

    /// Creates a track.
    public init(id: String, name: String, language: String? = nil) {
        self.id = id
        self.name = name
        self.language = language
    }
}

/// The volume and mute state of a device.
public struct PlayerLevel: Sendable, Hashable {
    /// The volume, `0...1`; `nil` if it can't be read or set.
    public var volume: Double?
    /// A Boolean value that indicates whether the device is muted; `nil` if it can't be muted.
    public var isMuted: Bool?

    /// Creates a level.
    public init(volume: Double?, isMuted: Bool?) {
        self.volume = volume
        self.isMuted = isMuted
    }
}

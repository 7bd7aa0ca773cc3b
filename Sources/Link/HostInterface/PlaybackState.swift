/// The state of a control object as one value, which crosses the link and which clients mirror.
///
/// Times are seconds. ``Position/hostTime`` is `CLOCK_MONOTONIC` in seconds, which all processes of a computer share. A
/// reader computes `value + rate × (now − hostTime)` and clamps it to ``timeRange``.
package struct PlaybackState: Codable, Sendable, Hashable {
    package enum Mode: String, Codable, Sendable { case normal, scanning, scrubbing }

    package struct Position: Codable, Sendable, Hashable {
        package var value: Double
        package var hostTime: Double
        package var rate: Double
        package init(value: Double, hostTime: Double, rate: Double) {
            self.value = value
            self.hostTime = hostTime
            self.rate = rate
        }
    }

    package struct TimeRange: Codable, Sendable, Hashable {
        package var start: Double
        package var duration: Double
        package init(start: Double, duration: Double) {
            self.start = start
            self.duration = duration
        }
    }

    package struct Segment: Codable, Sendable, Hashable {
        package var timeRange: TimeRange
        /// The raw value of `AVPlaybackUserInterfaceTimelineSegmentType`.
        package var type: Int
        package var isMarked: Bool
        package var requiresLinearPlayback: Bool
        package var identifier: String?
        package init(
            timeRange: TimeRange, type: Int, isMarked: Bool, requiresLinearPlayback: Bool, identifier: String?
        ) {
            self.timeRange = timeRange
            self.type = type
            self.isMarked = isMarked
            self.requiresLinearPlayback = requiresLinearPlayback
            self.identifier = identifier
        }
    }

    package struct Option: Codable, Sendable, Hashable {
        package var name: String
        package var identifier: String
        /// The language as a BCP 47 tag.
        package var language: String?
        package var characteristics: [String]
        package init(name: String, identifier: String, language: String?, characteristics: [String]) {
            self.name = name
            self.identifier = identifier
            self.language = language
            self.characteristics = characteristics
        }
    }

    package struct Artwork: Codable, Sendable, Hashable {
        package var url: String
        /// The uniform type identifier.
        package var contentType: String
        package var width: Double
        package var height: Double
        package init(url: String, contentType: String, width: Double, height: Double) {
            self.url = url
            self.contentType = contentType
            self.width = width
            self.height = height
        }
    }

    /// The features that a device may lack, besides those visible in the state.
    package enum Feature: String, Codable, Sendable, CaseIterable {
        case playbackSpeed = "playback-speed"
        case mute, volume
    }

    package var isReady = false
    package var isPlaying = false
    package var isBuffering = false
    package var playbackSpeed = 1.0
    package var scanSpeed = 0.0
    package var mode = Mode.normal
    /// The raw value of `AVPlaybackUserInterfaceSeekCapabilities`.
    package var seekCapabilities = 0
    /// The missing features in the order of their declaration; `nil` from an extension with an earlier SDK.
    package var unsupported: [Feature]?
    package var isLive = false
    package var error: HostError?

    package var timeRange = TimeRange(start: 0, duration: 0)
    package var position = Position(value: 0, hostTime: 0, rate: 0)
    package var segments: [Segment] = []
    package var currentSegment: Segment?
    /// The seekable ranges; `nil` for all of ``timeRange``, empty for none.
    package var seekableRanges: [TimeRange]?

    package var audioOptions: [Option] = []
    package var audioDescriptionOptions: [Option] = []
    package var legibleOptions: [Option] = []
    /// The identifiers of the selected members of the lists above.
    package var currentAudioOption: String?
    package var currentAudioDescriptionOption: String?
    package var currentLegibleOption: String?

    package var hasAudio = true
    package var isMuted = false
    /// The volume, `0.0...1.0`.
    package var volume = 0.0

    package var title: String?
    package var subtitle: String?
    package var artwork: [Artwork] = []
    /// The size of the picture in pixels; `nil` without video.
    package var presentationWidth: Double?
    package var presentationHeight: Double?

    package init() {}

    package var canSeek: Bool { seekCapabilities & 0b100 != 0 && seekableRanges?.isEmpty != true }
    package var canScanForward: Bool { seekCapabilities & 0b001 != 0 }
    package var canScanBackward: Bool { seekCapabilities & 0b010 != 0 }

    package func supports(_ feature: Feature) -> Bool { unsupported?.contains(feature) != true }

    /// Returns the position at a time, clamped to ``timeRange`` if that is known.
    ///
    /// - Parameter now: The time in seconds of `CLOCK_MONOTONIC`.
    package func position(at now: Double) -> Double {
        let moved = position.value + position.rate * max(0, now - position.hostTime)
        let end = timeRange.start + timeRange.duration
        return max(timeRange.start, timeRange.duration > 0 ? min(end, moved) : moved)
    }

    /// Returns the state with playback stopped at its current position, or at the end if less than two seconds remain,
    /// because devices report positions about once a second.
    ///
    /// - Parameter now: The time in seconds of `CLOCK_MONOTONIC`.
    package func stopped(at now: Double) -> PlaybackState {
        var state = self
        let end = timeRange.start + timeRange.duration
        let place = position(at: now)
        let isAtEnd = timeRange.duration > 0 && end - place < 2
        state.position.value = isAtEnd ? end : place
        state.position.rate = 0
        state.position.hostTime = now
        state.isPlaying = false
        return state
    }
}

/// A write to a control object: a client's command for the device.
package struct PlaybackCommand: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        case setPlaying = "set-playing"
        case setPlaybackSpeed = "set-playback-speed"
        case setScanSpeed = "set-scan-speed"
        case setMode = "set-mode"
        case seek
        case selectAudio = "select-audio"
        case selectAudioDescription = "select-audio-description"
        case selectLegible = "select-legible"
        case setMuted = "set-muted"
        case setVolume = "set-volume"
    }

    package var kind: Kind
    /// The value of `set-playing` and `set-muted`.
    package var flag: Bool?
    /// The speed, volume (`0.0...1.0`) or position (seconds).
    package var number: Double?
    /// The tolerance of `seek` in seconds; 0 is exact, infinity is "fast".
    package var tolerance: Double?
    /// The identifier of an option (absent for none), or the name of a mode.
    package var identifier: String?

    package init(
        _ kind: Kind, flag: Bool? = nil, number: Double? = nil, tolerance: Double? = nil, identifier: String? = nil
    ) {
        self.kind = kind
        self.flag = flag
        self.number = number
        self.tolerance = tolerance
        self.identifier = identifier
    }
}

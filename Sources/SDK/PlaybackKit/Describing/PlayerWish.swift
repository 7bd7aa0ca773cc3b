/// A change that a person requests of a device in use.
///
/// Of several waiting requests of one kind, only the latest is performed.
public enum PlayerWish: Sendable, Hashable {
    /// Resumes (`true`) or pauses playback.
    case setPlaying(Bool)
    /// Seeks to a position in seconds from the beginning of the media; not negative.
    case seek(Double)
    /// Sets the playback speed as a multiple of normal speed.
    case setSpeed(Double)
    /// Scans at one of the snapshot's ``PlaybackSnapshot/scanSpeeds``; 0 ends the scan.
    case scan(Double)
    /// Sets the volume, `0...1`.
    case setVolume(Double)
    /// Changes the volume by a number of steps, negative for down, on devices without a readable volume. Waiting steps
    /// add up.
    case changeVolume(Int)
    /// Mutes (`true`) or unmutes the device.
    case setMuted(Bool)
    /// Selects an audio track by its ``PlaybackOption/id``; `nil` for the device's default.
    case selectAudio(String?)
    /// Selects an audio description by its ``PlaybackOption/id``; `nil` for none.
    case selectAudioDescription(String?)
    /// Selects a subtitle track by its ``PlaybackOption/id``; `nil` for none.
    case selectSubtitles(String?)

    /// The property that a request changes.
    public enum Kind: Sendable, Hashable, CaseIterable {
        case playing, position, speed, scan, volume, volumeSteps, mute, audio, audioDescription, subtitles

        /// A Boolean value that indicates whether the request concerns the media, and so is void after the media has
        /// ended. The others concern the level of the device.
        public var isAboutMedia: Bool {
            switch self {
            case .playing, .position, .speed, .scan, .audio, .audioDescription, .subtitles: true
            case .volume, .volumeSteps, .mute: false
            }
        }
    }

    /// The property that this request changes.
    public var kind: Kind {
        switch self {
        case .setPlaying: .playing
        case .seek: .position
        case .setSpeed: .speed
        case .scan: .scan
        case .setVolume: .volume
        case .changeVolume: .volumeSteps
        case .setMuted: .mute
        case .selectAudio: .audio
        case .selectAudioDescription: .audioDescription
        case .selectSubtitles: .subtitles
        }
    }
}

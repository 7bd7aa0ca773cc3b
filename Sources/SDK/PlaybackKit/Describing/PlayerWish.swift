/// Something a person asks of a device while it is in use.
///
/// Of several wishes of one kind only the latest is carried out; see ``WishQueue``.
public enum PlayerWish: Sendable, Hashable {
    case setPlaying(Bool)
    /// Seconds from the beginning of the media; not negative.
    case seek(Double)
    /// A multiple of normal speed; 1 is normal.
    case setSpeed(Double)
    /// `0...1`
    case setVolume(Double)
    /// Steps up (positive) or down, for devices without a readable level. Waiting steps add up.
    case changeVolume(Int)
    case setMuted(Bool)
    /// ``PlaybackOption/id`` of an audio track; `nil` for the device's own choice.
    case selectAudio(String?)
    /// ``PlaybackOption/id`` of a subtitle track; `nil` for none.
    case selectSubtitles(String?)

    /// What a wish is about.
    public enum Kind: Sendable, Hashable, CaseIterable {
        case playing, position, speed, volume, volumeSteps, mute, audio, subtitles

        /// Whether the wish is about the media, so that it means nothing once that has ended.
        var isAboutMedia: Bool {
            switch self {
            case .playing, .position, .speed, .audio, .subtitles: true
            case .volume, .volumeSteps, .mute: false
            }
        }
    }

    public var kind: Kind {
        switch self {
        case .setPlaying: .playing
        case .seek: .position
        case .setSpeed: .speed
        case .setVolume: .volume
        case .changeVolume: .volumeSteps
        case .setMuted: .mute
        case .selectAudio: .audio
        case .selectSubtitles: .subtitles
        }
    }
}

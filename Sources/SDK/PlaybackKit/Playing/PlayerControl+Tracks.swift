import Foundation
public import MediaDevice

/// The tracks, the volume, and what the device lacks.
extension PlayerControl {
    /// The features that the device lacks.
    public var unsupportedFeatures: AVPlaybackUserInterfaceFeatures {
        var features: AVPlaybackUserInterfaceFeatures = []
        if snapshot.speeds.isEmpty { features.insert(.playbackSpeed) }
        if level?.volume == nil { features.insert(.volume) }
        if level?.isMuted == nil { features.insert(.mute) }
        return features
    }

    // MARK: Tracks

    public var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { snapshot.audio.shown(.audible) }
    public var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        snapshot.audioDescriptions.shown(.describesVideoForAccessibility)
    }
    public var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { snapshot.subtitles.shown(.legible) }

    public var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get {
            var current = snapshot.audio.current
            if case .selectAudio(let id)? = asked[.audio] { current = id }
            return audioOptions.first { $0.identifier == current }
        }
        set { ask(.selectAudio(newValue?.identifier)) }
    }

    public var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get {
            var current = snapshot.audioDescriptions.current
            if case .selectAudioDescription(let id)? = asked[.audioDescription] { current = id }
            return audioDescriptionOptions.first { $0.identifier == current }
        }
        set { ask(.selectAudioDescription(newValue?.identifier)) }
    }

    public var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get {
            var current = snapshot.subtitles.current
            if case .selectSubtitles(let id)? = asked[.subtitles] { current = id }
            return legibleOptions.first { $0.identifier == current }
        }
        set { ask(.selectSubtitles(newValue?.identifier)) }
    }

    // MARK: Sound

    public var hasAudio: Bool { snapshot.hasAudio }

    public var volume: Float {
        get { if case .setVolume(let volume)? = asked[.volume] { Float(volume) } else { Float(level?.volume ?? 0) } }
        set {
            guard level?.volume != nil else {
                return PlaybackRefusal.refuse("The volume of this device can't be set.")
            }
            guard newValue.isFinite else { return }
            ask(.setVolume(Double(max(0, min(1, newValue)))))
        }
    }

    public var isMuted: Bool {
        get { if case .setMuted(let isMuted)? = asked[.mute] { isMuted } else { level?.isMuted ?? false } }
        set {
            guard level?.isMuted != nil else { return PlaybackRefusal.refuse("This device can't be muted.") }
            ask(.setMuted(newValue))
        }
    }
}

extension PlaybackOptions {
    fileprivate func shown(_ characteristic: AVMediaCharacteristic) -> [AVPlaybackUserInterfaceMediaSelectionOption] {
        available.map {
            AVPlaybackUserInterfaceMediaSelectionOption(
                displayName: $0.name, identifier: $0.id, language: $0.language.map { Locale.Language(identifier: $0) },
                mediaCharacteristics: [characteristic])
        }
    }
}

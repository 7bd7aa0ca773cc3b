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
        get { current(of: audioOptions, asked[.audio], snapshot.audio.current) }
        set { ask(.selectAudio(newValue?.identifier)) }
    }

    public var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { current(of: audioDescriptionOptions, asked[.audioDescription], snapshot.audioDescriptions.current) }
        set { ask(.selectAudioDescription(newValue?.identifier)) }
    }

    public var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { current(of: legibleOptions, asked[.subtitles], snapshot.subtitles.current) }
        set { ask(.selectSubtitles(newValue?.identifier)) }
    }

    /// Returns the option that was asked for, or else the one that the device reports.
    private func current(
        of options: [AVPlaybackUserInterfaceMediaSelectionOption], _ wish: PlayerWish?, _ reported: String?
    ) -> AVPlaybackUserInterfaceMediaSelectionOption? {
        var current = reported
        switch wish {
        case .selectAudio(let id), .selectAudioDescription(let id), .selectSubtitles(let id): current = id
        default: break
        }
        return options.first { $0.identifier == current }
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

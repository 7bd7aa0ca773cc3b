import DLNAProtocol
import PlaybackKit

/// The volume and mute state of a renderer, from its reports.
struct RendererLevel: Sendable, Hashable {
    private let scale: VolumeScale?
    private let canMute: Bool
    /// `0.0...1.0`; `nil` until it is known.
    private(set) var volume: Float?
    private(set) var isMuted = false

    init(_ details: RendererDetails) {
        scale = details.volume
        canMute = details.canMute
    }

    mutating func apply(_ change: RenderingChange) {
        if let mute = change.isMuted, canMute { isMuted = mute }
        guard let raw = change.volume, let scale else { return }
        // Some renderers report zero while muted; the level comes back when they are not.
        if isMuted, raw <= scale.range.minimum, volume != nil { return }
        volume = scale.level(of: raw)
    }

    /// The level as the kit has it.
    var shown: PlayerLevel {
        PlayerLevel(volume: scale == nil ? nil : Double(volume ?? 0), isMuted: canMute ? isMuted : nil)
    }
}

import DLNAProtocol

/// The volume and mute state of one renderer. They are read first, written only on request, and follow changes on the
/// device.
@MainActor
final class RendererVolume {
    /// The client, which changes when the device moves.
    var client: RendererClient
    private let scale: VolumeScale?
    private let canMute: Bool
    private let commands: CommandQueue

    /// `0.0...1.0`; 0 until it is known.
    private(set) var level: Float = 0
    private(set) var isMuted = false
    /// Called after every change, with whether the device made it.
    var changed: ((_ byDevice: Bool) -> Void)?

    private var isKnown = false

    init(_ details: RendererDetails, client: RendererClient, commands: CommandQueue) {
        self.client = client
        self.commands = commands
        scale = details.volume
        canMute = details.canMute
    }

    /// Reads the values from the device. Values without an answer don't change.
    func read() async {
        let raw = scale == nil ? nil : try? await client.volume()
        let mute = canMute ? try? await client.isMuted() : nil
        apply(RenderingChange(volume: raw, isMuted: mute))
    }

    /// The device reports a change.
    func apply(_ change: RenderingChange) {
        let old = (level, isMuted)
        if let mute = change.isMuted, canMute, !commands.isBusy(.mute) { isMuted = mute }
        if let raw = change.volume, let scale, !commands.isBusy(.volume) {
            // Some renderers report zero while muted; the level comes back when they are not.
            let isMuteArtefact = isMuted && raw <= scale.range.minimum && isKnown
            if !isMuteArtefact {
                level = scale.level(of: raw)
                isKnown = true
            }
        }
        if old != (level, isMuted) { changed?(true) }
    }

    /// - Parameter level: `0.0...1.0`, clamped.
    func set(_ level: Float) {
        guard let scale, !level.isNaN else { return }
        let bounded = min(max(level, 0), 1)
        if self.level != bounded || !isKnown {
            self.level = bounded
            isKnown = true
            changed?(false)
        }
        commands.submit(.volume) { [self] in
            do {
                try await commands.insist(.volume) { try await client.setVolume(scale.raw(of: bounded)) }
            } catch {
                await reread()
            }
        }
    }

    func setMuted(_ mute: Bool) {
        guard canMute, mute != isMuted else { return }
        isMuted = mute
        changed?(false)
        let before = isKnown ? level : nil
        commands.submit(.mute) { [self] in
            do {
                try await commands.insist(.mute) { try await client.setMute(mute) }
                if !mute, let before { try await restore(before) }
            } catch {
                await reread()
            }
        }
    }

    /// Some renderers come out of mute at zero.
    private func restore(_ before: Float) async throws(DeviceFailure) {
        guard let scale, before > 0, try await client.volume() <= scale.range.minimum else { return }
        try await client.setVolume(scale.raw(of: before))
    }

    private func reread() async {
        let raw = scale == nil ? nil : try? await client.volume()
        let mute = canMute ? try? await client.isMuted() : nil
        if let raw, let scale { level = scale.level(of: raw) }
        if let mute { isMuted = mute }
        changed?(true)
    }
}

import HostInterface

/// The volume of sinks and their devices.
extension SoundSinks {
    /// Sends a person's volume to the device, one at a time. Of ten volumes of a slider, only the last counts.
    func settleLevel(_ id: String) {
        guard leveling[id] == nil, sinks[id] != nil, !isClosed else { return }
        leveling[id] = Task {
            while let (level, isMuted) = wishes(id), let device = sinks[id]?.deviceID {
                do {
                    try await find(id)
                    if let level {
                        try await host.setVolume(level, device: device, prompt: nil)
                        sinks[id]?.device?.level = level
                    }
                    if let isMuted {
                        try await host.setMuted(isMuted, device: device, prompt: nil)
                        sinks[id]?.device?.isMuted = isMuted
                    }
                } catch {
                    let error = (error as? HostError) ?? HostError(.internalFailure, "\(error)")
                    report(HostError(error.code, "The level of a sink cannot be set: \(error.message)"))
                }
                // Unless there is another wish by now.
                if let level, sinks[id]?.wantedLevel == level { sinks[id]?.wantedLevel = nil }
                if let isMuted, sinks[id]?.wantedMute == isMuted { sinks[id]?.wantedMute = nil }
            }
            leveling[id] = nil
            await show(id)
            await look()
        }
    }

    private func wishes(_ id: String) -> (level: Double?, isMuted: Bool?)? {
        guard let sink = sinks[id], sink.wantedLevel != nil || sink.wantedMute != nil else { return nil }
        return (sink.wantedLevel, sink.wantedMute)
    }
}

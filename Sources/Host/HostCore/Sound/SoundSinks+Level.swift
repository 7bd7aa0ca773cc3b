import HostInterface

/// The volume of sinks and their devices.
extension SoundSinks {
    /// Sends a person's volume to the device, one at a time. Of ten volumes of a slider, only the last counts.
    func settleLevel(_ id: String) {
        guard leveling[id] == nil, sinks[id] != nil, !isClosed else { return }
        leveling[id] = Task {
            while let (level, isMuted) = wishes(id) {
                do {
                    try await find(id)
                    if let level { try await setLevel(level, of: id) }
                    if let isMuted { try await setMuted(isMuted, of: id) }
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

    /// Sets the volume of the devices: those of a group in proportion.
    private func setLevel(_ level: Double, of id: String) async throws {
        guard let sink = sinks[id] else { return }
        if let leader = await leader(of: sink) {
            return try await host.setGroupVolume(level, device: leader, prompt: nil)
        }
        let levels = sink.levels(for: level)
        try await forEachDevice(of: sink) { device in
            guard let level = levels[device] else { return }
            try await host.setVolume(level, device: device, prompt: nil)
            sinks[id]?.devices[device]?.level = level
        }
    }

    private func setMuted(_ isMuted: Bool, of id: String) async throws {
        guard let sink = sinks[id] else { return }
        try await forEachDevice(of: sink) { device in
            try await host.setMuted(isMuted, device: device, prompt: nil)
            sinks[id]?.devices[device]?.isMuted = isMuted
        }
    }

    /// Performs an operation for every device that is there, even if one fails.
    ///
    /// - Throws: The first error.
    private func forEachDevice(of sink: SoundSink, _ body: (String) async throws -> Void) async throws {
        var failure: (any Error)?
        for device in sink.presentIDs {
            do {
                try await body(device)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func wishes(_ id: String) -> (level: Double?, isMuted: Bool?)? {
        guard let sink = sinks[id], sink.wantedLevel != nil || sink.wantedMute != nil else { return nil }
        return (sink.wantedLevel, sink.wantedMute)
    }
}

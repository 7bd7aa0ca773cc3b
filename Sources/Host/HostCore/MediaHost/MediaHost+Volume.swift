import HostInterface
import LinkProtocol

extension MediaHost {
    /// The change of an absolute volume for one relative step.
    static let step = 0.05

    /// Sets the volume, clamped to `0.0...1.0`. It opens the route for as long as necessary.
    ///
    /// - Throws: ``HostError`` `not-supported` if the device has no absolute volume, and the errors of an activation.
    package func setVolume(_ level: Double, device id: String, prompt: PairingPrompt?) async throws {
        guard level.isFinite else { throw HostError(.invalidArgument, "A level is a number from 0 to 1.") }
        let wanted = min(1, max(0, level))
        try await withPart(
            of: id, where: { $0.description.volumeControl == .absolute },
            unable: { HostError(.notSupported, "\($0) has no level that can be set.") }
        ) { part in
            if recoveries[part.id] == nil { try await openRoute(part.id, prompt: prompt) }
            do {
                try await fulfil(.level(wanted), on: part.id)
            } catch {
                await closeUnneededRoute(part.id)
                throw error
            }
            await closeUnneededRoute(part.id)
            publish(registry.update(part.id) { $0.level = wanted })
            groupHeard(part.id)
        }
    }

    /// Changes the volume by steps: the device's own if it is relative, 5 % if it is absolute.
    package func changeVolume(by increments: Int32, device id: String, prompt: PairingPrompt?) async throws {
        try await withPart(
            of: id, where: { $0.description.volumeControl != .none },
            unable: { HostError(.notSupported, "\($0) has no volume control.") }
        ) { try await changeVolume(by: increments, of: $0, prompt: prompt) }
    }

    private func changeVolume(by increments: Int32, of device: HostDevice, prompt: PairingPrompt?) async throws {
        let id = device.id
        guard device.description.volumeControl == .absolute else {
            return try await withRoute(id, prompt: prompt) { runner, identifier in
                try await runner.perform(.changeVolume(device: id, increments: increments), on: identifier)
            }
        }
        // Read before write: the device's current level counts, not the last known one.
        let level = try await withRoute(id, prompt: prompt) { runner, identifier in
            let level = try await runner.volume(of: id, on: identifier).level
            let wanted = min(1, max(0, level + Double(increments) * Self.step))
            try await runner.perform(.setVolume(device: id, level: wanted), on: identifier)
            return wanted
        }
        publish(registry.update(id) { $0.level = level })
        groupHeard(id)
    }

    /// Mutes or unmutes a device. The SDK's `muteDevice` toggles, so it is called only if the state differs.
    package func setMuted(_ isMuted: Bool, device id: String, prompt: PairingPrompt?) async throws {
        try await withPart(
            of: id, where: \.description.canMute, unable: { HostError(.notSupported, "\($0) cannot be muted.") }
        ) { part in
            let id = part.id
            try await withRoute(id, prompt: prompt) { runner, identifier in
                guard try await runner.volume(of: id, on: identifier).isMuted != isMuted else { return }
                try await runner.perform(.muteDevice(device: id), on: identifier)
            }
            publish(registry.update(id) { $0.isMuted = isMuted })
        }
    }

    func readVolume(_ id: String) async {
        guard let route = routes[id], let device = registry[id],
            device.description.volumeControl == .absolute || device.description.canMute,
            let volume = try? await runner.volume(of: id, on: route.extensionIdentifier)
        else { return }
        publish(
            registry.update(id) {
                if device.description.volumeControl == .absolute { $0.level = min(1, max(0, volume.level)) }
                $0.isMuted = volume.isMuted
            })
        groupHeard(id)
    }

    private func withRoute<Result: Sendable>(
        _ id: String, prompt: PairingPrompt?,
        _ body: @Sendable (any ExtensionRunner, String) async throws -> Result
    ) async throws -> Result {
        try await openRoute(id, prompt: prompt)
        guard let route = routes[id] else { throw HostError(.unreachable, "The device went away.") }
        guard !isAway(id) else { throw noAnswer(id) }
        do {
            let result = try await body(runner, route.extensionIdentifier)
            await closeUnneededRoute(id)
            return result
        } catch {
            await closeUnneededRoute(id)
            throw error
        }
    }
}

import Foundation
import HostInterface
import LinkProtocol

extension MediaHost {
    /// Opens the route to a device, and pairs if necessary; returns at once if it is open.
    ///
    /// - Parameters:
    ///   - via: The part of a merged device; see ``parts(of:via:)``.
    ///   - holder: The holder that keeps the route open until ``release(_:holder:)``.
    ///   - prompt: Asks the person for a code. Without it, a device that needs one gives `authorization-required`.
    /// - Throws: ``HostError``: `no-such-device`, `unreachable`, `authorization-failed`, `authorization-required`,
    ///   `cancelled`, `device-in-use`, `extension-crashed`, `timed-out`.
    package func activate(
        _ id: String, via: String? = nil, holder: String, prompt: PairingPrompt?
    ) async throws {
        try await withPart(of: id, via: via) { part in
            try await openRoute(part.id, for: .person, prompt: prompt)
            routes[part.id]?.holders.insert(holder)
        }
    }

    /// Pairs with a device: activates it, and releases it if no one else needs it.
    ///
    /// Every available part of a merged device is paired, so that each can be used later.
    package func pair(_ id: String, via: String? = nil, prompt: @escaping PairingPrompt) async throws {
        var absence: HostError?
        var isDone = false
        for part in try parts(of: id, via: via) {
            do {
                try await openRoute(part.id, prompt: prompt)
                isDone = true
                await closeUnneededRoute(part.id)
            } catch {
                guard let error = error as? HostError, error.isOfThisWay else { throw error }
                absence = absence ?? error
            }
        }
        if let absence, !isDone { throw absence }
    }

    /// Releases a holder's route, and closes it if no one else needs it.
    package func release(_ id: String, holder: String) async {
        for part in identities.devices(of: identities.entry(of: id)) { await release(part: part, holder: holder) }
    }

    private func release(part id: String, holder: String) async {
        guard routes[id]?.holders.remove(holder) != nil else { return }
        await closeUnneededRoute(id)
    }

    /// Stops playback on a device and closes its route, regardless of its holders. Other devices of its group continue
    /// to play.
    package func deactivate(_ id: String) async throws {
        for part in try parts(of: id) {
            // Don't wait for a lost follower while the others play.
            if !groups.isFollower(part.id) { try? await awaitRecovery(of: part.id) }
            await takeOut(part.id)
        }
    }

    /// Releases everything that a disconnected client held.
    package func releaseAll(holder: String) async {
        for (id, route) in routes where route.holders.contains(holder) {
            await release(part: id, holder: holder)
        }
    }

    /// Forgets a device: removes its credentials, its stored state and its route, for all parts, including unavailable
    /// ones. Merges remain.
    package func forget(_ id: String) async throws {
        _ = try parts(of: id)
        for part in identities.devices(of: identities.entry(of: id)) { try await forget(part: part) }
    }

    private func forget(part id: String) async throws {
        await takeOut(id)
        await credentials.write(of: id)?.value
        // If the bond can't be removed elsewhere, the device stays known here.
        try await forgetBond(id)
        sightings.forget(id)
        do {
            try await erase(id)
        } catch {
            throw HostError(.storageFailed, "The device cannot be forgotten: \(error)")
        }
    }

    /// Removes the stored data of a device, and the device itself if it is only remembered.
    func erase(_ id: String) async throws {
        try await store.setCredential(nil, device: id)
        try await store.forgetCachedDevice(id: id)
        credentials.erased(id)
        publish(registry.update(id) { $0.isPaired = false })
        withdrawForgotten(id)
    }

    /// - Parameters:
    ///   - features: The features to activate a closed device for; `nil` for everything it can do.
    ///   - purpose: The reason it is opened.
    func openRoute(
        _ id: String, features: DeviceDescription.Capabilities? = nil, for purpose: RoutePurpose = .passing,
        prompt: PairingPrompt?
    ) async throws {
        try await awaitRecovery(of: id)
        if try await isOpen(id) { return }
        if try await makeRoom(for: device(id), purpose), try await isOpen(id) { return }
        try await runActivation(device(id), features: features, prompt: prompt)
    }

    /// Returns a Boolean value that indicates whether the route to a device is open, once it is neither being opened nor closed.
    private func isOpen(_ id: String) async throws -> Bool {
        await closed(id)
        while let opening = activations[id] {
            guard opening.isCancelled else {
                try await opening.value
                return true
            }
            // Its route was closed before this request: it isn't this request that was cancelled.
            _ = await opening.result
            activationEnded(id, opening)
            await closed(id)
        }
        return routes[id] != nil
    }

    /// Activates a device. A closing of its route cancels that.
    ///
    /// - Parameter leader: The leader in whose session it is activated; `nil` for its own session.
    func runActivation(
        _ device: HostDevice, following leader: String? = nil, features: DeviceDescription.Capabilities? = nil,
        prompt: PairingPrompt?
    ) async throws {
        let opening = Task {
            try await performActivation(device, following: leader, features: features, prompt: prompt)
        }
        activations[device.id] = opening
        // Not in the task: whoever activates it takes hold of it first.
        defer { activationEnded(device.id, opening) }
        try await opening.value
    }

    private func activationEnded(_ id: String, _ opening: Task<Void, any Error>) {
        if activations[id] == opening { activations[id] = nil }
    }

    private func performActivation(
        _ device: HostDevice, following leader: String?, features: DeviceDescription.Capabilities?,
        prompt: PairingPrompt?
    ) async throws {
        let identifier = device.extensionIdentifier
        let shared = leader.map { routes[$0]?.linkSession }
        if shared == .some(nil) {
            throw HostError(.cancelled, "The session that \(device.description.name) was to join has ended.")
        }
        let route = Route(
            deviceID: device.id, extensionIdentifier: identifier, linkSession: (shared ?? nil) ?? UUID().uuidString,
            features: features)
        routes[device.id] = route
        if let leader { groups.add(device.id, to: leader) }
        publish(registry.update(device.id) { $0.activation = .activating })
        await runner.acquire(identifier, reason: Self.reason(device.id))
        do {
            try await waitUntilRunning(identifier)
            let credential = try await store.credential(device: device.id)
            // Most devices show a code when they are asked, and some count it.
            if credential == nil { try checkWrongCodes(of: device) }
            let call = ExtensionCall.activate(
                device.description, session: route.linkSession,
                capabilities: features ?? device.description.capabilities, credential: credential)
            try await settleActivation(device, route, first: call, prompt: prompt)
            await credentials.write(of: device.id)?.value
            try checkWanted(route)
            publish(
                registry.update(device.id) {
                    $0.activation = .active
                    $0.availability = .ready
                    $0.lastError = nil
                })
            follow(device.id)
            await readVolume(device.id)
        } catch {
            let isCancelled = error is CancellationError
            let error = (error as? HostError) ?? HostError(isCancelled ? .cancelled : .internalFailure, "\(error)")
            guard isWanted(route) else {
                // The route was closed meanwhile, and the extension needs to be told nothing more.
                if error.code == .cancelled { try checkWanted(route) }
                throw error
            }
            perform(.deactivate(device: device.id, session: route.linkSession), on: identifier)
            await dropRoute(device.id, error: error)
            throw error
        }
    }

    /// Checks that the route wasn't closed meanwhile.
    ///
    /// - Throws: ``HostError`` `cancelled` if it was.
    func checkWanted(_ route: Route) throws(HostError) {
        guard isWanted(route) else {
            throw HostError(
                .cancelled,
                "The activation of \(registry[route.deviceID]?.description.name ?? "the device") was cancelled.")
        }
    }

    func isWanted(_ route: Route) -> Bool { routes[route.deviceID]?.linkSession == route.linkSession }

    static func reason(_ device: String) -> String { "route:" + device }
}

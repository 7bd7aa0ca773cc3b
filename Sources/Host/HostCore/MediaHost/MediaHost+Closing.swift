import HostInterface
import LinkProtocol

/// The end of routes.
extension MediaHost {
    /// Closes the route to a device if no one needs it.
    func closeUnneededRoute(_ id: String) async {
        guard let route = routes[id], !route.isNeeded, !groups.isFollower(id), activations[id] == nil else { return }
        await closeRoute(id)
    }

    /// Closes the route to a device and its followers.
    func closeRoute(_ id: String) async {
        if closings[id] == nil, routes[id] != nil { closings[id] = Task { await performClosing(id) } }
        await closed(id)
    }

    /// Waits while the route to a device is being closed. Until then, the extension may deactivate the device.
    func closed(_ id: String) async {
        while let closing = closings[id] { await closing.value }
    }

    private func performClosing(_ id: String) async {
        defer { closings[id] = nil }
        guard let route = routes[id] else { return }
        if let current = route.currentSession {
            await leavePlayback(current)
            await stopPlayback(current, reason: nil)
        }
        for follower in groups.followers(of: id) { await closeRoute(follower) }
        try? await runner.perform(
            .deactivate(device: id, session: route.linkSession), on: route.extensionIdentifier)
        await dropRoute(id, error: nil)
    }

    /// Removes a route without telling its extension, and releases the followers.
    func dropRoute(_ id: String, error: HostError?) async {
        while let follower = groups.followers(of: id).first {
            await closeRoute(follower)
            groups.remove(follower)
        }
        if let ongoing = endRecovery(id) {
            fail(ongoing.wishes, with: error ?? HostError(.cancelled, "The device was deactivated."))
            settlements.fulfil(id, with: ())
        }
        endAbsence(id, with: error ?? HostError(.cancelled, "The device was deactivated."))
        guard let route = routes.removeValue(forKey: id) else { return }
        applicationRoutesEnd(with: route)
        unfollow(id)
        leaveGroup(id, route)
        outcomes.fail(route.activation, with: error ?? HostError(.cancelled, "The device was deactivated."))
        publish(
            registry.update(id) {
                $0.activation = .idle
                if let error { $0.lastError = error }
            })
        if registry[id]?.availability == .unreachable { publish(registry.remove(id)) }
        await runner.release(route.extensionIdentifier, reason: Self.reason(id))
    }

    /// Processes an open route that the device ended.
    func routeFailed(_ id: String, _ error: HostError) {
        if groups.isGrouped(id) { memberFailed(id, error) } else { routeIsOver(id, error) }
    }

    /// Ends a route that can no longer be used.
    func routeIsOver(_ id: String, _ error: HostError) {
        guard let current = routes[id]?.currentSession else {
            Task { await dropRoute(id, error: error) }
            return
        }
        Task {
            await stopPlayback(current, reason: error)
            await dropRoute(id, error: error)
        }
    }
}

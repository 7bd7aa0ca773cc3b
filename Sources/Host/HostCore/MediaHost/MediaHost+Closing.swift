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
        beginClosing(id, .unneeded)
        await closed(id)
    }

    /// Waits while the route to a device is being closed. Until then, the extension may deactivate the device.
    func closed(_ id: String) async {
        while let closing = closings[id] { await closing.value }
    }

    /// The reason why a route is closed.
    enum ClosingReason {
        /// No one needs it any more.
        case unneeded
        /// The device ended it.
        case ended(HostError)
        /// It can't be used any more, which the extension doesn't know.
        case failed(HostError)
    }

    /// Closes a route, unless it is being closed already: then only the error is shown.
    func beginClosing(_ id: String, _ reason: ClosingReason) {
        guard routes[id] != nil, closings[id] == nil else {
            if let error = reason.error { publish(registry.update(id) { $0.lastError = error }) }
            return
        }
        closings[id] = Task { await performClosing(id, reason) }
    }

    private func performClosing(_ id: String, _ reason: ClosingReason) async {
        defer { closings[id] = nil }
        guard let route = routes[id] else { return }
        if let current = route.currentSession {
            if case .unneeded = reason { await leavePlayback(current) }
            await stopPlayback(current, reason: reason.error)
        }
        if case .unneeded = reason {
            for follower in groups.followers(of: id) { await closeRoute(follower) }
        }
        if reason.isToldToExtension {
            try? await runner.perform(
                .deactivate(device: id, session: route.linkSession), on: route.extensionIdentifier)
        }
        let opening = activations[id]
        await dropRoute(id, error: reason.error)
        // It may wait for a person, and a later request for it.
        opening?.cancel()
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
        if groups.isGrouped(id) { memberFailed(id, error) } else { beginClosing(id, .ended(error)) }
    }
}

extension MediaHost.ClosingReason {
    /// The error that is shown; `nil` if it was closed on purpose.
    fileprivate var error: HostError? {
        switch self {
        case .unneeded: nil
        case .ended(let error), .failed(let error): error
        }
    }

    fileprivate var isToldToExtension: Bool {
        switch self {
        case .unneeded, .failed: true
        case .ended: false
        }
    }
}

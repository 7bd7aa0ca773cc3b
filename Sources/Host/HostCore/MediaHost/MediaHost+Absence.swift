import HostInterface

/// Devices in use that don't answer for a while. Requests wait until they answer, and so do the callers.
extension MediaHost {
    /// Returns a Boolean value that indicates whether checks of a device failed. A device whose announcements stopped
    /// may still work.
    func isAway(_ id: String) -> Bool { routes[id] != nil && missing[id] != nil }

    func noAnswer(_ id: String) -> HostError {
        HostError(.unreachable, "\(spokenName(id)) does not answer.")
    }

    /// Processes the return of a device.
    func hasReturned(_ id: String) {
        returns.fulfil(id, with: ())
        guard let queue = postponed.removeValue(forKey: id), let route = routes[id] else { return }
        Task { await tell(queue, to: route) }
    }

    /// Moves waiting requests to the device of the group that takes over playback.
    func passOnWishes(from former: String, to heir: String) {
        guard let queue = postponed[former]?.takePlayback(), let route = routes[heir] else { return }
        guard isAway(heir) else {
            Task { await tell(queue, to: route) }
            return
        }
        postponed[heir, default: WishQueue()].add(queue)
    }

    /// Fails the waiting requests of a device.
    func endAbsence(_ id: String, with error: HostError) {
        if let queue = postponed.removeValue(forKey: id) { fail(queue, with: error) }
        returns.fail(id, with: error)
    }

    /// Waits for a limited time until a device can be stopped.
    ///
    /// - Throws: ``HostError`` `unreachable` if it can't. It may continue to play.
    func awaitReturn(of id: String) async throws(HostError) {
        guard isAway(id) else { return }
        let late = HostError(.unreachable, "\(spokenName(id)) does not answer, and may play on.")
        do {
            try await returns.outcome(id, within: timing.farewell, clock: clock, late: late) { [self] in
                // It may have come back before the wait began.
                if await !isAway(id) { returns.fulfil(id, with: ()) }
            }
        } catch {
            throw late
        }
    }
}

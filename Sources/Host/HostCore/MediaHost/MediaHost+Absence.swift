import HostInterface

/// Devices in use that do not answer for a while: what is asked of them meanwhile is told when they do, and who asks is
/// not told before that it is done.
extension MediaHost {
    /// Whether tries of it failed. One that is only announced no more may well do what it is asked.
    func isAway(_ id: String) -> Bool { routes[id] != nil && missing[id] != nil }

    func noAnswer(_ id: String) -> HostError {
        HostError(.unreachable, "\(spokenName(id)) does not answer.")
    }

    /// The device answers again.
    func hasReturned(_ id: String) {
        returns.fulfil(id, with: ())
        guard let queue = postponed.removeValue(forKey: id), let route = routes[id] else { return }
        Task { await tell(queue, to: route) }
    }

    /// Playback goes on at another device of the group, and so does what was asked of it.
    func passOnWishes(from former: String, to heir: String) {
        guard let queue = postponed[former]?.takePlayback(), let route = routes[heir] else { return }
        guard isAway(heir) else {
            Task { await tell(queue, to: route) }
            return
        }
        postponed[heir, default: WishQueue()].add(queue)
    }

    /// Nobody waits for the device any more.
    func endAbsence(_ id: String, with error: HostError) {
        if let queue = postponed.removeValue(forKey: id) { fail(queue, with: error) }
        returns.fail(id, with: error)
    }

    /// Waits until the device can be told to stop, for a while.
    ///
    /// - Throws: ``HostError`` `unreachable`: it cannot, and may play on.
    func awaitReturn(of id: String) async throws(HostError) {
        guard isAway(id) else { return }
        let late = HostError(.unreachable, "\(spokenName(id)) does not answer, and may play on.")
        do {
            try await returns.outcome(id, within: timing.farewell, clock: clock, late: late) { [self] in
                // It may have come back before anybody waited.
                if await !isAway(id) { returns.fulfil(id, with: ()) }
            }
        } catch {
            throw late
        }
    }
}

/// The schedule of requests for a renderer's state during a session.
package enum PollSchedule {
    /// Returns the seconds until the next request.
    ///
    /// If events arrive, requests only correct the position and detect a lost device; otherwise they are the only
    /// source of changes.
    ///
    /// - Parameters:
    ///   - age: The seconds since playback began.
    ///   - remaining: The seconds to the expected end; `nil` if unknown.
    ///   - hasEvents: `true` if events arrive.
    package static func pause(
        phase: PlaybackTracker.Phase, age: Double, remaining: Double?, hasEvents: Bool
    ) -> Double {
        // Many renderers know the length a little later, and tell it only when asked. Nobody can seek before.
        if remaining == nil, age < 10, phase == .playing || phase == .paused { return 0.5 }
        switch phase {
        case .loading, .buffering: return 1
        case .paused: return hasEvents ? 5 : 2
        case .finished: return 5
        case .playing:
            guard hasEvents else { return 1 }
            // One question just after the expected end finds the device that does not tell it.
            if let remaining, remaining < 5 { return max(0.5, remaining + 0.5) }
            return 5
        }
    }
}

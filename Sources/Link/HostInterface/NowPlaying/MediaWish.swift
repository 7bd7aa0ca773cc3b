/// A person's request to a session, independent of the command that performs it.
package enum MediaWish: Sendable, Hashable {
    case play, pause, playPause, stop, next, previous
    /// A position in seconds from the beginning.
    case position(Double)
    /// An offset in seconds from the current position.
    case offset(Double)
    /// A rate as a multiple of normal speed.
    case rate(Double)
    /// Feedback: `neutral`, `positive` or `negative`.
    case feedback(String)
    /// A repeat mode: `off`, `one` or `all`.
    case repeating(String)
    /// A shuffle mode: `off`, `items` or `collections`.
    case shuffling(String)

    /// Returns the command that performs the request.
    ///
    /// - Parameters:
    ///   - state: The current state of the session.
    ///   - now: The time in seconds of `CLOCK_MONOTONIC`.
    /// - Returns: `nil` if nothing has to be done.
    /// - Throws: ``HostError`` `not-supported` if the session offers no command for it.
    package func action(_ state: MediaSessionState, now: Double) throws(HostError) -> MediaAction? {
        let isActive = state.playback?.isActive ?? false
        switch self {
        case .play:
            if let action = state.first(.play) { return action }
            return isActive ? nil : try state.required(.togglePlayPause)
        case .pause:
            if let action = state.first(.pause) { return action }
            return isActive ? try state.required(.togglePlayPause) : nil
        case .playPause: return try state.required(.togglePlayPause, isActive ? .pause : .play)
        case .stop: return try state.required(.stop)
        case .next: return try state.required(.next)
        case .previous: return try state.required(.previous)
        case .rate(let rate):
            var action = try state.required(.changePlaybackRate)
            action.number = rate
            return action
        case .feedback(let status):
            var action = try state.required(.feedback)
            action.mode = status
            return action
        case .repeating(let mode): return try state.required(.changeRepeatMode, mode: mode)
        case .shuffling(let mode): return try state.required(.changeShuffleMode, mode: mode)
        case .position(let target):
            var action = try state.required(.seekToPosition)
            action.number = min(max(0, target), state.content?.end ?? .infinity)
            return action
        case .offset(let offset):
            let position = state.playback?.position(at: now, duration: state.content?.end)
            if let position, state.first(.seekToPosition) != nil {
                return try MediaWish.position(position + offset).action(state, now: now)
            }
            var action = try state.required(offset < 0 ? .skipBackward : .skipForward)
            let intervals = state.enabled(action.kind)?.numbers ?? []
            action.number = intervals.min { abs($0 - abs(offset)) < abs($1 - abs(offset)) } ?? abs(offset)
            return action
        }
    }
}

extension MediaSessionState {
    /// Returns the first of some commands that can be used.
    fileprivate func first(_ kinds: MediaControl.Kind...) -> MediaAction? { first(kinds) }

    fileprivate func required(_ kinds: MediaControl.Kind...) throws(HostError) -> MediaAction {
        guard let action = first(kinds) else {
            throw HostError(.notSupported, "\(content?.title ?? "What plays") does not offer that now.")
        }
        return action
    }

    /// Returns a command with a mode.
    ///
    /// - Throws: ``HostError`` `not-supported`, also if the command doesn't support the mode.
    fileprivate func required(_ kind: MediaControl.Kind, mode: String) throws(HostError) -> MediaAction {
        var action = try required(kind)
        let modes = enabled(kind)?.modes ?? [mode]
        guard modes.contains(mode) else {
            throw HostError(
                .notSupported, "\(content?.title ?? "What plays") offers only \(modes.joined(separator: ", ")).")
        }
        action.mode = mode
        return action
    }

    private func first(_ kinds: [MediaControl.Kind]) -> MediaAction? {
        kinds.first { enabled($0) != nil }.map { MediaAction($0) }
    }
}

public import PlaybackKit

/// One playback on an app, from the reports of the app. A value without I/O.
public struct CastRun: Sendable {
    public enum Kind: Sendable, Equatable {
        /// Media that this computer loads.
        case own
        /// Media that another sender chooses, one after the other.
        case others
        /// An app that this computer started, with or without media.
        case application
    }

    public enum Verdict: Sendable, Equatable {
        /// The report isn't about this playback.
        case unrelated
        case playing
        case ended(PlaybackEnding)
    }

    public let kind: Kind
    /// The number of the playback on the app; `nil` until the app has accepted the media.
    public var session: Int?
    private var isOver = false

    public init(_ kind: Kind = .own, session: Int? = nil) {
        self.kind = kind
        self.session = session
    }

    /// Processes the state of the app's media after a report.
    ///
    /// - Parameter status: `nil` if the app has no media any longer.
    public mutating func observed(_ status: CastMediaStatus?) -> Verdict {
        guard !isOver else { return .unrelated }
        switch kind {
        case .own:
            guard let session else { return .unrelated }
            guard let status else { return end(.stopped) }
            // The numbers increase, so a lower one is a late report.
            guard status.session >= session else { return .unrelated }
            guard status.session == session else { return end(status.title.map { .takenOver(by: $0) } ?? .stopped) }
            return verdict(status, interruptionEnds: true)
        case .others:
            guard let status else { return end(.stopped) }
            session = status.session
            // Its sender loads something else.
            return verdict(status, interruptionEnds: false)
        case .application:
            guard let status, status.state != .idle else { return .unrelated }
            session = status.session
            return .playing
        }
    }

    private mutating func verdict(_ status: CastMediaStatus, interruptionEnds: Bool) -> Verdict {
        guard status.state == .idle else { return .playing }
        switch status.idleReason {
        case .finished: return end(.finished)
        case .error:
            let reason = "The device stopped with an error. Check that it can still reach the media."
            return end(.failed(MediaDeviceError(.deviceRefused, reason)))
        case .cancelled: return end(.stopped)
        case .interrupted: return interruptionEnds ? end(.stopped) : .unrelated
        // Before the start.
        case nil: return .unrelated
        }
    }

    /// Processes the end of the app, or of its session with this computer.
    ///
    /// - Parameter successor: The name of the app that took its place; `nil` if none did.
    public mutating func applicationEnded(successor: String? = nil) -> Verdict {
        if kind == .own, session == nil { return .unrelated }
        return isOver ? .unrelated : end(successor.map { .takenOver(by: $0) } ?? .stopped)
    }

    private mutating func end(_ ending: PlaybackEnding) -> Verdict {
        isOver = true
        return .ended(ending)
    }
}

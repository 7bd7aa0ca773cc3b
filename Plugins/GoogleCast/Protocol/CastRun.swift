import PlaybackKit

/// One playback on an app, from the reports of the app. A value without I/O.
public struct CastRun: Sendable {
    public enum Verdict: Sendable, Equatable {
        /// The report isn't about this playback.
        case unrelated
        case playing
        case ended(PlaybackEnding)
    }

    /// The number of the playback on the app; `nil` until the app has accepted the media.
    public var session: Int?
    private var isOver = false

    public init(session: Int? = nil) { self.session = session }

    /// Processes the state of the app's media after a report.
    ///
    /// - Parameter status: `nil` if the app has no media any longer.
    public mutating func observed(_ status: CastMediaStatus?) -> Verdict {
        guard let session, !isOver else { return .unrelated }
        guard let status else { return end(.stopped) }
        // The numbers increase, so a lower one is a late report.
        guard status.session >= session else { return .unrelated }
        guard status.session == session else { return end(.stopped) }
        guard status.state == .idle else { return .playing }
        switch status.idleReason {
        case .finished: return end(.finished)
        case .error: return end(.failed(Self.failure))
        case .cancelled, .interrupted: return end(.stopped)
        // Before the start.
        case nil: return .unrelated
        }
    }

    /// Processes the end of the app, or of its session with this computer.
    public mutating func applicationEnded() -> Verdict { session == nil || isOver ? .unrelated : end(.stopped) }

    private mutating func end(_ ending: PlaybackEnding) -> Verdict {
        isOver = true
        return .ended(ending)
    }

    private static var failure: MediaDeviceError {
        MediaDeviceError(
            .sessionFailed, detail: .deviceRefused,
            reason: "The device stopped with an error. Check that it can still reach the media.")
    }
}

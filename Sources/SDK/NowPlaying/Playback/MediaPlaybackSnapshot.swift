import Foundation

/// Whether and where an item plays, at one instant.
///
/// A reader goes on from there by itself: the position now is `elapsedTime` plus the rate times the time since
/// `timestamp`. So publish one when something jumps, never because time passed.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct MediaPlaybackSnapshot: Equatable, Sendable {
    /// What playback does.
    public enum PlaybackState: Equatable, Sendable {
        /// It runs at this rate, temporary changes included; 5 while fast forwarding, negative while rewinding.
        case playing(rate: Float = 1.0)
        /// It can go on where it stands.
        case paused
        /// Nothing is loaded, or it is over.
        case stopped
        /// It waits for data.
        case buffering
        /// Something else took the sound away; the app goes on by itself.
        case interrupted
    }

    let state: PlaybackState
    let defaultPlaybackRate: Float
    let elapsedTime: TimeInterval?
    let timestamp: Date?

    /// - Parameters:
    ///   - state: A rate must be finite and not 0.
    ///   - defaultPlaybackRate: The rate to come back to after a temporary change; must be finite and above 0.
    ///   - elapsedTime: The position in seconds; `nil` where it is not known.
    ///   - timestamp: When `elapsedTime` was true; `nil`: when this is published.
    /// - Precondition: The rates are as told.
    public init(
        state: PlaybackState, defaultPlaybackRate: Float = 1.0, elapsedTime: TimeInterval? = nil,
        timestamp: Date? = nil
    ) {
        if case .playing(let rate) = state {
            precondition(rate.isFinite && rate != 0, "The playback rate must be finite and not 0, and is \(rate).")
        }
        precondition(
            defaultPlaybackRate.isFinite && defaultPlaybackRate > 0,
            "The default playback rate must be finite and above 0, and is \(defaultPlaybackRate).")
        self.state = state
        self.defaultPlaybackRate = defaultPlaybackRate
        self.elapsedTime = elapsedTime
        self.timestamp = timestamp
    }
}

public import Foundation

/// The state and position of playback at one instant.
///
/// A reader computes the current position: `elapsedTime` plus the rate times the time since `timestamp`. Publish a new
/// snapshot when the state, rate or position jumps, not because time passes.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct MediaPlaybackSnapshot: Equatable, Sendable {
    /// The state of playback.
    public enum PlaybackState: Equatable, Sendable {
        /// Playback runs at a rate, including temporary changes: for example 5 during fast forward, negative during
        /// rewind.
        case playing(rate: Float = 1.0)
        /// Playback is paused and can resume.
        case paused
        /// Nothing is loaded, or playback has ended.
        case stopped
        /// Playback waits for data.
        case buffering
        /// Another app took the audio output; the app resumes by itself.
        case interrupted
    }

    let state: PlaybackState
    let defaultPlaybackRate: Float
    let elapsedTime: TimeInterval?
    let timestamp: Date?

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - state: The state. The rate of `playing` is finite and not 0.
    ///   - defaultPlaybackRate: The rate after a temporary change ends, finite and greater than 0.
    ///   - elapsedTime: The position in seconds; `nil` if unknown.
    ///   - timestamp: The time at which `elapsedTime` was current; `nil` for the time of publication.
    /// - Precondition: Both rates are in their range.
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

public import CoreMedia

extension AVPlaybackUserInterfaceTimeControllable {
    /// The current position, computed from ``playbackPosition`` and clamped to ``timeRange``. Setting it seeks exactly.
    ///
    /// This is the spelling of an earlier version of these protocols. Available on Linux only.
    public var currentPlaybackPosition: CMTime {
        get {
            let position = playbackPosition.position(at: CMClock.hostTimeClock.time)
            let range = timeRange
            return range.isValid && !range.isEmpty ? CMTimeClampToRange(position, range: range) : position
        }
        set { seek(to: newValue, tolerance: .zero) }
    }
}

extension AVPlaybackUserInterfacePlaybackControllable {
    /// The error that prevents playback; `nil` if there is none.
    ///
    /// This is the spelling of an earlier version of these protocols. Available on Linux only.
    public var playbackError: (any Error)? { error }
}

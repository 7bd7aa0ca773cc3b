import CoreMedia

extension AVPlaybackUserInterfaceTimeControllable {
    /// The position now, counted on from ``playbackPosition`` and kept inside ``timeRange``; setting it seeks exactly.
    ///
    /// The spelling of an earlier version of these protocols. Available on Linux only.
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
    /// What keeps playback from working; `nil` while all is well.
    ///
    /// The spelling of an earlier version of these protocols. Available on Linux only.
    public var playbackError: (any Error)? { error }
}

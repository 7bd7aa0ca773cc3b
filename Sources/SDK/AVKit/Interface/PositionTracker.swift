import CoreMedia

/// A tracker that converts repeated position reports to snapshots that change only on discontinuities.
struct PositionTracker {
    /// The highest difference in seconds from the expected position that doesn't count as a jump.
    static let tolerance = 0.25

    private(set) var published: AVPlaybackUserInterfacePlaybackPosition?
    private var lastReported = CMTime.invalid
    private var isJumpExpected = false

    /// Returns the current snapshot.
    ///
    /// - Parameters:
    ///   - reported: The extension's position, which can be stale if it didn't change.
    ///   - rate: The rate in seconds of content per second.
    ///   - hostTime: The time at which `reported` and `rate` became current.
    mutating func position(
        reported: CMTime, rate: Float, at hostTime: CMTime
    ) -> AVPlaybackUserInterfacePlaybackPosition {
        let rate = rate.isFinite ? rate : 0
        let isNews = reported != lastReported
        lastReported = reported
        guard let published, published.position.isNumeric, reported.isNumeric else {
            if let published, published.rate == rate, !isNews { return published }
            return publish(reported, rate: rate, at: hostTime)
        }
        let expected = published.position(at: hostTime)
        if published.rate == rate {
            let isNear = !isJumpExpected && rate != 0 && abs((reported - expected).seconds) <= Self.tolerance
            let isOnTrack = !isNews || isNear
            return isOnTrack ? published : publish(reported, rate: rate, at: hostTime)
        }
        // A position that did not change along with the rate is older than the change: count on to the change first.
        return publish(isNews ? reported : expected, rate: rate, at: hostTime)
    }

    /// Treats the next reported position as a discontinuity, however near it is.
    mutating func expectJump() { isJumpExpected = true }

    private mutating func publish(
        _ position: CMTime, rate: Float, at hostTime: CMTime
    ) -> AVPlaybackUserInterfacePlaybackPosition {
        let snapshot = AVPlaybackUserInterfacePlaybackPosition(position: position, hostTime: hostTime, rate: rate)
        published = snapshot
        isJumpExpected = false
        return snapshot
    }
}

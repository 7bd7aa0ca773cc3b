import CoreMedia

/// Turns a position that is told again and again into snapshots that are replaced on discontinuities only.
struct PositionTracker {
    /// How far a told position may be from the expected one, in seconds, before it counts as a jump.
    static let tolerance = 0.25

    private(set) var published: AVPlaybackUserInterfacePlaybackPosition?
    private var lastReported = CMTime.invalid
    private var isJumpExpected = false

    /// The snapshot that holds now.
    ///
    /// - Parameters:
    ///   - reported: The position as the extension tells it; possibly stale, if it did not change.
    ///   - rate: Seconds of content a second.
    ///   - hostTime: When `reported` and `rate` came to hold.
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

    /// The next position that is told is a discontinuity, however near it is.
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

package import HostInterface

/// The way in which a session ended that didn't fail.
package enum SessionEnding: String, Sendable, Codable {
    /// The media played to its end.
    case finished
    /// The device ended it earlier: a person stopped it there, another sender took the device, or the media was shorter
    /// than the device had said.
    case interrupted
    /// The device plays something else for this host, alone or with other devices.
    case replaced
    /// A command or an app stopped it, or released the device.
    case stopped

    /// The time before the end of the media in which it counts as played, in seconds: devices report positions about
    /// once a second, and some end before they have played their last sample.
    private static let tolerance = 3.0

    /// Creates the ending that the device told.
    package init(_ ending: ReportedEnding) {
        self =
            switch ending {
            case .finished: .finished
            case .interrupted, .takenOver: .interrupted
            }
    }

    /// Creates the ending of a session that its device ended without telling why.
    ///
    /// Returns `nil` if the last state doesn't tell: live media has no end, a stream of another program has only the length
    /// that its header pretends, and some devices forget their position first.
    ///
    /// - Parameter now: The time in seconds of `CLOCK_MONOTONIC`.
    package init?(of session: HostSession, at now: Double) {
        let playback = session.playback
        let range = playback.timeRange
        guard range.duration > 0, !playback.isLive, session.source != PlaybackSource.streamAddress else { return nil }
        let position = playback.position(at: now) - range.start
        if position >= range.duration - max(Self.tolerance, range.duration * 0.02) {
            self = .finished
        } else if playback.isPlaying || position >= 1 {
            self = .interrupted
        } else {
            return nil
        }
    }
}

import HostInterface

/// The position of a medium that the host delivers, stored for the next daemon.
package struct DeliveredPlace: Codable, Sendable, Hashable {
    /// The listener's position, in seconds.
    let seconds: Double
    /// The time at which it is there, in seconds of the monotonic clock.
    let time: Double
    let isPlaying: Bool
    /// A Boolean value that indicates whether the position moves; `false` also while playback waits for data.
    let isMoving: Bool
    /// The length of the medium in seconds; `nil` for a live one.
    let duration: Double?
    let isSeekable: Bool
    /// The latency to ask the extension for, in seconds; `nil` for its choice.
    let latency: Double?

    /// A difference that isn't stored again, in seconds.
    private static let tolerance = 0.25

    func seconds(at now: Double) -> Double { isMoving ? seconds + max(0, now - time) : seconds }

    /// Returns a Boolean value that indicates whether another place says the same.
    func foretells(_ other: DeliveredPlace) -> Bool {
        isPlaying == other.isPlaying && isMoving == other.isMoving
            && abs(seconds(at: other.time) - other.seconds) < Self.tolerance
    }

    /// Returns the position at which the next daemon continues, as if playback had gone on meanwhile; `nil` for live media,
    /// which begin anew.
    ///
    /// - Throws: ``PlaybackIsOver``, or ``HostError`` `session-failed` for a medium in which one can't seek.
    func resumption(at now: Double) throws -> Double? {
        guard isSeekable else {
            guard duration == nil else {
                throw HostError(.sessionFailed, "You can't seek in it.")
            }
            return nil
        }
        let position = seconds(at: now)
        if let duration, position >= duration { throw PlaybackIsOver() }
        return position
    }
}

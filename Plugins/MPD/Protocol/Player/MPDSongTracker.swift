/// The state of a song that we queued, derived from the server's statuses.
///
/// Pass only statuses requested after the reply to `playid`; an earlier one would look like another client's song.
public struct MPDSongTracker: Sendable, Hashable {
    public enum Verdict: Sendable, Hashable {
        /// Queued and selected, but the server has not opened it yet.
        case opening
        /// The server decodes the song, playing or paused.
        case playing
        /// The song reached its end or was stopped, or another one plays.
        case ended
        case failed(MPDPlaybackFailure)
    }

    public private(set) var songID: Int
    public let address: String
    private var wasDecoded = false
    public private(set) var verdict = Verdict.opening

    public init(songID: Int, address: String) {
        self.songID = songID
        self.address = address
    }

    /// Returns the song's state according to the status. A final verdict stays.
    public mutating func observe(_ status: MPDStatus) -> Verdict {
        switch verdict {
        case .ended, .failed: return verdict
        case .opening, .playing: break
        }
        if status.isActive(songID) {
            wasDecoded = wasDecoded || status.audioFormat != nil
            // A broken output pauses the player and leaves its reason; an error beside a playing song is an older one.
            if status.state == .pause, let error = status.error {
                verdict = .failed(MPDPlaybackFailure(statusError: error))
            } else {
                verdict = wasDecoded ? .playing : .opening
            }
        } else if let error = status.error {
            verdict = .failed(MPDPlaybackFailure(statusError: error))
        } else {
            verdict = .ended
        }
        return verdict
    }

    /// Finds our song after a reconnection. A restarted server assigns new identifiers.
    ///
    /// - Returns: Whether the current song is still ours; its new identifier is followed from here on.
    public mutating func adopt(current: MPDSong?, status: MPDStatus) -> Bool {
        guard let current, let id = current.id, current.file == address, status.isActive(id) else { return false }
        songID = id
        return true
    }
}

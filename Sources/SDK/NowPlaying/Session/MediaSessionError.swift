/// Why something cannot be done with a session.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum MediaSessionError: Error, Equatable, Hashable, Sendable {
    /// The daemon cannot be reached, or could not do it.
    case internalFailure
    /// The session has nothing to show.
    case invalidState
    /// The session is over. Nothing throws it here: a session lives as long as it can be asked.
    case sessionInvalidated
}

/// An error of a request for a session.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum MediaSessionError: Error, Equatable, Hashable, Sendable {
    /// The daemon isn't reachable, or couldn't perform the request.
    case internalFailure
    /// The session has nothing to show.
    case invalidState
    /// The session has ended. Never thrown on Linux, where a session lasts as long as its object.
    case sessionInvalidated
}

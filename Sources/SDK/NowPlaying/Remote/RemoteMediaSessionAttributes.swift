/// Everything an app says of a remote session, as one value that travels: a whole state, never a change.
///
/// Source: NowPlaying, iOS 27 SDK.
public protocol RemoteMediaSessionAttributes: Decodable, Encodable {
    /// Identifies the session; the same for all of its life.
    var id: String { get }
}

/// Why something cannot be done with a remote session.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum RemoteMediaSessionError: Error, Equatable, Hashable, Sendable {
    /// The daemon cannot be reached, or could not do it.
    case internalFailure
    /// The attributes are those of another session.
    case invalidAttributes
}

/// The complete description of a remote session as an encodable value: always a whole state, never a change.
///
/// Source: NowPlaying, iOS 27 SDK.
public protocol RemoteMediaSessionAttributes: Decodable, Encodable {
    /// The identifier of the session; it never changes.
    var id: String { get }
}

/// An error of an operation on a remote session.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum RemoteMediaSessionError: Error, Equatable, Hashable, Sendable {
    /// The daemon isn't reachable, or couldn't perform the operation.
    case internalFailure
    /// The extension can't use the attributes, or they belong to another session.
    case invalidAttributes
}

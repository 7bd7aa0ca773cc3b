import Foundation

/// Whether an item is heard or seen.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum MediaType: Sendable, Equatable, Hashable {
    /// It is heard.
    case audio
    /// It is seen.
    case video
}

/// How long an item is.
///
/// Source: NowPlaying, iOS 27 SDK; its conformances are ours.
public enum MediaDuration: Sendable, Equatable, Hashable {
    /// Its length in seconds, finite and not negative. Anything else is shown as a length that is not known.
    case finite(TimeInterval)
    /// A broadcast, without an end that is known.
    case live
    /// Endless, and no broadcast: a soundscape, a loop, a generated stream.
    case continuous
}

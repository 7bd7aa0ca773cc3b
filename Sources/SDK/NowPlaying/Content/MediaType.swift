public import Foundation

/// The kind of an item's media.
///
/// Source: NowPlaying, iOS 27 SDK.
public enum MediaType: Sendable, Equatable, Hashable {
    /// Audio.
    case audio
    /// Video.
    case video
}

/// The duration of an item.
///
/// Source: NowPlaying, iOS 27 SDK; its conformances are ours.
public enum MediaDuration: Sendable, Equatable, Hashable {
    /// A length in seconds, finite and not negative. Any other value counts as unknown.
    case finite(TimeInterval)
    /// A broadcast without a known end.
    case live
    /// Endless media that isn't a broadcast, such as a soundscape, a loop or a generated stream.
    case continuous
}

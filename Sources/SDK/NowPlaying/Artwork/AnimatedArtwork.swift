public import Foundation

/// Animated artwork that the app provides on demand.
///
/// No desktop shows animated artwork by itself; any program can request it over D-Bus (docs/now-playing.md).
///
/// Source: NowPlaying, iOS 27 SDK.
public struct AnimatedArtwork: Identifiable, Sendable {
    /// The aspect ratio of animated artwork.
    public enum AspectRatio: Equatable, Hashable, Sendable {
        /// 1:1.
        case square
        /// 3:4.
        case tall
    }

    /// The key under which surfaces cache the artwork. Use another identifier for different artwork.
    public let id: String
    /// The aspect ratios that the app can provide.
    public let supportedAspectRatios: [AspectRatio]
    /// The aspect ratios that this system supports: both, because it passes them on unchanged.
    public static let compatibleAspectRatios: [AspectRatio] = [.square, .tall]

    let preview: @Sendable (CGSize, AspectRatio) async throws -> ArtworkRepresentation
    let video: @Sendable (CGSize, AspectRatio) async throws -> URL

    /// Creates animated artwork.
    ///
    /// - Parameters:
    ///   - id: The cache key of the artwork.
    ///   - supportedAspectRatios: The aspect ratios that the app can provide.
    ///   - previewProvider: A closure that draws the first frame, in the same way as the closure of ``Artwork``.
    ///   - videoProvider: A closure that returns the URL of a video, in a file or elsewhere, within ten seconds.
    public init(
        id: String, supportedAspectRatios: [AspectRatio] = [.square],
        preview previewProvider: @escaping @Sendable (CGSize, AspectRatio) async throws -> ArtworkRepresentation,
        video videoProvider: @escaping @Sendable (CGSize, AspectRatio) async throws -> URL
    ) {
        self.id = id
        self.supportedAspectRatios = supportedAspectRatios
        preview = previewProvider
        video = videoProvider
    }
}

extension AnimatedArtwork.AspectRatio {
    /// The value on D-Bus.
    var word: String {
        switch self {
        case .square: "square"
        case .tall: "tall"
        }
    }

    init?(word: String) {
        switch word {
        case "square": self = .square
        case "tall": self = .tall
        default: return nil
        }
    }
}

import Foundation

/// A moving picture that is made when a surface wants one.
///
/// No desktop shows moving pictures by itself; any program can ask for them over D-Bus (docs/now-playing.md).
///
/// Source: NowPlaying, iOS 27 SDK.
public struct AnimatedArtwork: Identifiable, Sendable {
    /// The shape of the picture.
    public enum AspectRatio: Equatable, Hashable, Sendable {
        /// 1:1.
        case square
        /// 3:4.
        case tall
    }

    /// The key under which surfaces keep the picture: another picture needs another one.
    public let id: String
    /// The shapes the app can make.
    public let supportedAspectRatios: [AspectRatio]
    /// The shapes this system can show: both, as it only hands them on.
    public static let compatibleAspectRatios: [AspectRatio] = [.square, .tall]

    let preview: @Sendable (CGSize, AspectRatio) async throws -> ArtworkRepresentation
    let video: @Sendable (CGSize, AspectRatio) async throws -> URL

    /// - Parameters:
    ///   - id: The picture's key.
    ///   - supportedAspectRatios: The shapes the app can make.
    ///   - previewProvider: Draws the first frame, as ``Artwork`` draws a picture.
    ///   - videoProvider: The address of a video, in a file or elsewhere. Ten seconds are allowed.
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
    /// The word on the bus.
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

public import AppInterface
public import Foundation
import NowPlaying

/// Artwork that the app draws on demand.
///
/// Source: MediaPlayer, iOS 27 SDK.
public final class MPMediaItemArtwork: Sendable {
    /// The largest size, in pixels.
    public let bounds: CGRect
    let artwork: Artwork

    /// Creates artwork.
    ///
    /// - Parameters:
    ///   - boundsSize: The largest size, in pixels.
    ///   - requestHandler: A closure that draws the picture at a size, on any thread.
    public init(boundsSize: CGSize, requestHandler: @escaping @Sendable (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        artwork = Artwork(id: UUID().uuidString) { size in
            let wanted = CGSize(width: min(size.width, boundsSize.width), height: min(size.height, boundsSize.height))
            guard let image = requestHandler(wanted).cgImage else {
                throw ArtworkRepresentation.ArtworkRepresentationError.noRepresentationAvailable
            }
            return try ArtworkRepresentation(cgImage: image)
        }
    }
}

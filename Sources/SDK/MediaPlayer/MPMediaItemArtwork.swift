import AppInterface
import Foundation
import NowPlaying

/// A picture that is drawn when a surface wants one.
///
/// Source: MediaPlayer, iOS 27 SDK.
public final class MPMediaItemArtwork: Sendable {
    /// The largest there is, in pixels.
    public let bounds: CGRect
    let artwork: Artwork

    /// - Parameters:
    ///   - boundsSize: The largest there is.
    ///   - requestHandler: Draws it, on any thread.
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

import Foundation

/// A picture that is drawn when a surface wants one, at the size it wants.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct Artwork: Identifiable, Sendable {
    /// The key under which surfaces keep the picture: the same picture keeps it, another picture needs another one.
    public let id: String
    let provider: @Sendable (CGSize) async throws -> ArtworkRepresentation

    /// - Parameters:
    ///   - id: The picture's key.
    ///   - artworkProvider: Draws the picture. It runs in this process, off the main actor, and may be asked several times,
    ///     for different sizes. The size is in pixels here; either side may be `greatestFiniteMagnitude`, which means the
    ///     largest there is. A picture of another aspect ratio fits inside; a smaller picture is given as it is, never
    ///     enlarged. It has ten seconds. What it throws leaves the item without a picture until its `id` changes.
    public init(id: String, artworkProvider: @escaping @Sendable (CGSize) async throws -> ArtworkRepresentation) {
        self.id = id
        provider = artworkProvider
    }
}

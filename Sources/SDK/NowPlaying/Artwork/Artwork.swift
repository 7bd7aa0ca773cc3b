public import Foundation

/// Artwork that the app draws on demand, at the size that a surface needs.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct Artwork: Identifiable, Sendable {
    /// The key under which surfaces cache the artwork. Use another identifier for a different picture.
    public let id: String
    let provider: @Sendable (CGSize) async throws -> ArtworkRepresentation

    /// Creates artwork.
    ///
    /// - Parameters:
    ///   - id: The cache key of the artwork.
    ///   - artworkProvider: A closure that draws the picture for a size in pixels; `greatestFiniteMagnitude` for a side
    ///     requests the largest picture. It runs in this process, off the main actor, may be called several times for
    ///     different sizes, and has ten seconds. A picture of another aspect ratio is fitted into the size; a smaller
    ///     picture isn't enlarged. If the closure throws, the item has no picture until its `id` changes.
    public init(id: String, artworkProvider: @escaping @Sendable (CGSize) async throws -> ArtworkRepresentation) {
        self.id = id
        provider = artworkProvider
    }
}

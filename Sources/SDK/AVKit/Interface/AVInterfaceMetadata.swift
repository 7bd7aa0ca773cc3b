public import Foundation

/// The earlier form of ``AVPlaybackUserInterfaceContentMetadata``.
public struct AVInterfaceMetadata: Sendable, Hashable {
    /// Another name for the type of the artwork.
    public typealias AlbumArtwork = AVInterfaceAlbumArtwork

    /// The kind of media.
    public enum MediaMode: Sendable, Hashable {
        /// Audio without a picture.
        case audioOnly
        /// Video, with its presentation size in pixels.
        case video(presentationSize: CGSize)
    }

    /// The kind of media.
    public var mediaMode: MediaMode
    /// The title.
    public var title: String?
    /// A second line, such as the artist or the episode.
    public var subtitle: String?
    /// The artwork in several sizes or formats.
    public var albumArtworkRepresentations: [AVInterfaceAlbumArtwork]

    /// Creates metadata. `presentationSize` is ignored if `isAudioOnly` is `true`.
    public init(
        isAudioOnly: Bool = false, presentationSize: CGSize = .zero, title: String? = nil, subtitle: String? = nil,
        albumArtworkRepresentations: [AVInterfaceAlbumArtwork] = []
    ) {
        self.init(
            mediaMode: isAudioOnly ? .audioOnly : .video(presentationSize: presentationSize), title: title,
            subtitle: subtitle, albumArtworkRepresentations: albumArtworkRepresentations)
    }

    /// Creates metadata.
    public init(
        mediaMode: MediaMode, title: String? = nil, subtitle: String? = nil,
        albumArtworkRepresentations: [AlbumArtwork] = []
    ) {
        self.mediaMode = mediaMode
        self.title = title
        self.subtitle = subtitle
        self.albumArtworkRepresentations = albumArtworkRepresentations
    }

    /// A Boolean value that indicates whether there is only audio.
    public var isAudioOnly: Bool { mediaMode == .audioOnly }

    /// The width and height of the picture's presentation in pixels; zero if unknown or without a picture.
    public var presentationSize: CGSize {
        switch mediaMode {
        case .audioOnly: .zero
        case .video(let presentationSize): presentationSize
        }
    }

    /// The later form.
    package var canonical: AVPlaybackUserInterfaceContentMetadata {
        AVPlaybackUserInterfaceContentMetadata(
            videoProperties: isAudioOnly ? nil : .init(presentationSize: presentationSize), title: title,
            subtitle: subtitle, artworkRepresentations: albumArtworkRepresentations)
    }
}

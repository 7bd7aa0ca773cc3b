import Foundation

/// The earlier form of ``AVPlaybackUserInterfaceContentMetadata``.
public struct AVInterfaceMetadata: Sendable, Hashable {
    /// The type of the pictures, by another name.
    public typealias AlbumArtwork = AVInterfaceAlbumArtwork

    /// Whether there is a picture.
    public enum MediaMode: Sendable, Hashable {
        /// Sound only.
        case audioOnly
        /// With a picture, presented at a size in pixels.
        case video(presentationSize: CGSize)
    }

    /// Whether there is a picture.
    public var mediaMode: MediaMode
    /// The title.
    public var title: String?
    /// A second line, such as the artist or the episode.
    public var subtitle: String?
    /// One picture in several sizes or formats.
    public var albumArtworkRepresentations: [AVInterfaceAlbumArtwork]

    /// Describes what plays; with `isAudioOnly`, the size has no say.
    public init(
        isAudioOnly: Bool = false, presentationSize: CGSize = .zero, title: String? = nil, subtitle: String? = nil,
        albumArtworkRepresentations: [AVInterfaceAlbumArtwork] = []
    ) {
        self.init(
            mediaMode: isAudioOnly ? .audioOnly : .video(presentationSize: presentationSize), title: title,
            subtitle: subtitle, albumArtworkRepresentations: albumArtworkRepresentations)
    }

    /// Describes what plays.
    public init(
        mediaMode: MediaMode, title: String? = nil, subtitle: String? = nil,
        albumArtworkRepresentations: [AlbumArtwork] = []
    ) {
        self.mediaMode = mediaMode
        self.title = title
        self.subtitle = subtitle
        self.albumArtworkRepresentations = albumArtworkRepresentations
    }

    /// Whether there is sound only.
    public var isAudioOnly: Bool { mediaMode == .audioOnly }

    /// Width and height at which to present the picture, in pixels; zero where there is none or they are not known.
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

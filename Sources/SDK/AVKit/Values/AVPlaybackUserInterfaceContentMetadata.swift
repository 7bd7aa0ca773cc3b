import Foundation

/// What plays, for people.
public struct AVPlaybackUserInterfaceContentMetadata: Sendable, Hashable {
    /// What is known of the picture.
    public struct VideoProperties: Sendable, Hashable {
        /// Width and height at which to present it, in pixels; zero where they are not known.
        public var presentationSize: CGSize

        /// Describes a picture.
        public init(presentationSize: CGSize) { self.presentationSize = presentationSize }
    }

    /// The picture; `nil` where there is sound only.
    public var videoProperties: VideoProperties?
    /// The title.
    public var title: String?
    /// A second line, such as the artist or the episode.
    public var subtitle: String?
    /// One picture in several sizes or formats.
    public var artworkRepresentations: [AVPlaybackUserInterfaceContentArtwork]

    /// Describes what plays.
    public init(
        videoProperties: VideoProperties? = nil, title: String? = nil, subtitle: String? = nil,
        artworkRepresentations: [AVPlaybackUserInterfaceContentArtwork] = []
    ) {
        self.videoProperties = videoProperties
        self.title = title
        self.subtitle = subtitle
        self.artworkRepresentations = artworkRepresentations
    }
}

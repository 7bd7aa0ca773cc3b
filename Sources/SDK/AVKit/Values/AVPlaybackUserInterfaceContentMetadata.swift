public import Foundation

/// The metadata of the current item, for people.
public struct AVPlaybackUserInterfaceContentMetadata: Sendable, Hashable {
    /// The properties of the picture.
    public struct VideoProperties: Sendable, Hashable {
        /// The width and height of the picture's presentation in pixels; zero if unknown.
        public var presentationSize: CGSize

        /// Creates properties of a picture.
        public init(presentationSize: CGSize) { self.presentationSize = presentationSize }
    }

    /// The properties of the picture; `nil` if there is only audio.
    public var videoProperties: VideoProperties?
    /// The title.
    public var title: String?
    /// A second line, such as the artist or the episode.
    public var subtitle: String?
    /// The artwork in several sizes or formats.
    public var artworkRepresentations: [AVPlaybackUserInterfaceContentArtwork]

    /// Creates metadata.
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

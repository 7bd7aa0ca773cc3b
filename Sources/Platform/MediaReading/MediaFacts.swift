/// The properties that a file or stream declares.
package struct MediaFacts: Sendable, Hashable {
    /// A picture as it is stored.
    package struct Picture: Sendable, Hashable {
        /// `image/jpeg` or `image/png`.
        package let contentType: String
        package let bytes: [UInt8]
    }

    /// Seconds; `nil` for a stream without an end.
    package var duration: Double?
    package var title: String?
    package var artist: String?
    package var album: String?
    package var genre: String?
    package var picture: Picture?
    /// A Boolean value that indicates whether the source supports seeking.
    package var isSeekable: Bool

    package init(
        duration: Double? = nil, title: String? = nil, artist: String? = nil, album: String? = nil,
        genre: String? = nil, picture: Picture? = nil, isSeekable: Bool
    ) {
        self.duration = duration
        self.title = title
        self.artist = artist
        self.album = album
        self.genre = genre
        self.picture = picture
        self.isSeekable = isSeekable
    }
}

/// The properties that a file or stream declares.
package struct MediaFacts: Codable, Sendable, Hashable {
    /// A picture as it is stored.
    package struct Picture: Codable, Sendable, Hashable {
        /// The size of the largest picture that is read, in bytes.
        package static let largest = 4 << 20
        /// The types that are read.
        package static let contentTypes = ["image/jpeg", "image/png"]

        /// One of ``contentTypes``.
        package let contentType: String
        package let bytes: [UInt8]

        package init(contentType: String, bytes: [UInt8]) {
            self.contentType = contentType
            self.bytes = bytes
        }
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
    /// As in ``ReaderRequest``.
    package var isReadOnce: Bool?

    package init(
        duration: Double? = nil, title: String? = nil, artist: String? = nil, album: String? = nil,
        genre: String? = nil, picture: Picture? = nil, isSeekable: Bool, isReadOnce: Bool? = nil
    ) {
        self.duration = duration
        self.title = title
        self.artist = artist
        self.album = album
        self.genre = genre
        self.picture = picture
        self.isSeekable = isSeekable
        self.isReadOnce = isReadOnce
    }
}

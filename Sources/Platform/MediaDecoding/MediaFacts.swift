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
}

/// What a file or stream says about itself.
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
    /// Whether another place of it can be asked for.
    package var isSeekable: Bool
}

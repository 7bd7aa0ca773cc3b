/// The metadata that a receiver shows, in the tags of Apple's media protocol (DMAP).
///
/// Each tag has four letters, a length of four bytes, and text or other tags.
package struct MediaText: Sendable, Hashable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var genre: String?

    package init(title: String? = nil, artist: String? = nil, album: String? = nil, genre: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
        self.genre = genre
    }

    package static let contentType = "application/x-dmap-tagged"

    /// The tags as a listing item, `mlit`. Unknown values are sent empty; otherwise those of an earlier song would
    /// remain.
    package var encoded: [UInt8] {
        let items = [("minm", title), ("asar", artist), ("asal", album), ("asgn", genre)]
        return Self.tag("mlit", items.flatMap { Self.tag($0.0, Array(($0.1 ?? "").utf8)) })
    }

    private static func tag(_ name: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + PacketBytes.bytes(UInt32(clamping: value.count)) + value
    }
}

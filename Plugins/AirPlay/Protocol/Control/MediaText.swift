/// What the receiver shows of the media, in the tags of Apple's media protocol (DMAP).
///
/// Each is four letters, a length of four bytes, and text or other tags.
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

    /// A listing item, `mlit`; what is not known is sent empty, or an earlier song's would stay.
    package var encoded: [UInt8] {
        let items = [("minm", title), ("asar", artist), ("asal", album), ("asgn", genre)]
        return Self.tag("mlit", items.flatMap { Self.tag($0.0, Array(($0.1 ?? "").utf8)) })
    }

    private static func tag(_ name: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + PacketBytes.bytes(UInt32(clamping: value.count)) + value
    }
}

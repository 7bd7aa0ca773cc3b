/// A song as `currentsong` and `playlistid` describe it.
///
/// Source: MPD protocol reference, "Other Metadata" and "Tags".
public struct MPDSong: Sendable, Hashable {
    /// Address or path below the music folder, as it was added.
    public var file: String
    public var id: Int?
    public var title: String?
    /// Several values of one tag are joined by `, `.
    public var artist: String?
    public var album: String?
    /// A radio station's own name.
    public var name: String?
    /// Seconds; `nil` where unknown.
    public var duration: Double?

    /// The song of an answer; `nil` for an empty one (no current song).
    public init?(_ part: MPDReply.Part) {
        guard let file = part["file"] else { return nil }
        self.file = file
        id = part["Id"].flatMap { Int($0) }
        title = Self.joined(part, "Title")
        artist = Self.joined(part, "Artist") ?? Self.joined(part, "AlbumArtist")
        album = Self.joined(part, "Album")
        name = Self.joined(part, "Name")
        duration = (MPDStatus.seconds(part["duration"]) ?? MPDStatus.seconds(part["Time"])).flatMap {
            $0 > 0 ? $0 : nil
        }
    }

    /// The first line to show: the title, else the station's name.
    public var displayTitle: String? { title ?? name }

    /// The second line to show: artist and album as far as known.
    public var displaySubtitle: String? {
        let parts = [artist, album, title == nil ? nil : name].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private static func joined(_ part: MPDReply.Part, _ key: String) -> String? {
        let values = part.values(key).filter { !$0.isEmpty }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

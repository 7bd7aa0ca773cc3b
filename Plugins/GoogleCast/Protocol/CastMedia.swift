public import JSONValues
import MediaTypes
public import PlaybackKit

/// The media of a `LOAD`.
public enum CastMedia {
    /// Returns the fields of a `LOAD`.
    public static func loadFields(_ media: PlayableMedia) -> [String: JSON] {
        let type = contentType(of: media)
        var item: [String: JSON] = [
            "contentId": .string(media.url.absoluteString), "contentUrl": .string(media.url.absoluteString),
            "contentType": .string(type), "streamType": .string(isLive(media) ? "LIVE" : "BUFFERED"),
        ]
        if let duration = media.duration, duration > 0 { item["duration"] = .number(duration) }
        let isMusic = type.hasPrefix("audio/")
        var metadata: [String: JSON] = ["metadataType": isMusic ? 3 : 0]
        if let title = media.title { metadata["title"] = .string(title) }
        if let artist = media.artist { metadata[isMusic ? "artist" : "subtitle"] = .string(artist) }
        if let artwork = media.artworkURL, ["http", "https"].contains(artwork.scheme) {
            metadata["images"] = [["url": .string(artwork.absoluteString)]]
        }
        item["metadata"] = .object(metadata)
        let tracks = media.subtitles.enumerated().map { track($0.element, number: $0.offset + 1) }
        if !tracks.isEmpty {
            item["tracks"] = .array(tracks)
            item["textTrackStyle"] = [
                "backgroundColor": "#00000099", "foregroundColor": "#FFFFFFFF", "edgeType": "OUTLINE", "fontScale": 1,
            ]
        }
        var fields: [String: JSON] = ["media": .object(item), "autoplay": true]
        if let start = media.startPosition, start > 0 { fields["currentTime"] = .number(start) }
        return fields
    }

    private static func track(_ subtitles: MediaOutputSession.Subtitles, number: Int) -> JSON {
        var track: [String: JSON] = [
            "trackId": .number(Double(number)), "type": "TEXT", "subtype": "SUBTITLES", "name": .string(subtitles.name),
            "trackContentId": .string(subtitles.url.absoluteString), "trackContentType": "text/vtt",
        ]
        if let language = subtitles.language { track["language"] = .string(language) }
        return .object(track)
    }

    /// Returns the error for media that the device certainly can't play.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - hasScreen: `false` for a loudspeaker.
    public static func refusal(_ media: PlayableMedia, by name: String, hasScreen: Bool) -> MediaDeviceError? {
        let type = contentType(of: media)
        if !hasScreen, type.hasPrefix("video/") || type.hasPrefix("image/") {
            return MediaDeviceError(.unsupportedFormat, "“\(name)” has no screen and plays only sound, not \(type).")
        }
        guard unplayable.contains(type) else { return nil }
        return MediaDeviceError(
            .unsupportedFormat,
            "“\(name)” can't play \(type). Convert it to MP4 with H.264 and AAC, or to MP3 or FLAC.")
    }

    /// The types of containers that no Google Cast device opens. Matroska isn't among them: many devices play it although
    /// the documentation doesn't list it.
    private static let unplayable: Set<String> = [
        "audio/aiff", "audio/amr", "audio/x-ape", "audio/x-dff", "audio/x-dsf", "audio/x-ms-wma", "audio/x-wavpack",
        "audio/x-scpls", "video/mpeg", "video/x-flv", "video/x-ms-asf", "video/x-ms-wmv", "video/x-msvideo",
    ]

    /// The content type decides how the device opens the media, not the name of the file.
    static func contentType(of media: PlayableMedia) -> String {
        let told = media.contentType.map(MIMEType.bare) ?? ""
        let type = told.isEmpty ? MediaType.guess(fromPath: media.url.path) ?? "video/mp4" : told
        return namesOfReceivers[type] ?? type
    }

    /// The only names by which receivers know playlists of HLS and the kinds of MP4.
    private static let namesOfReceivers = [
        "application/vnd.apple.mpegurl": "application/x-mpegurl", "audio/mpegurl": "application/x-mpegurl",
        "audio/x-mpegurl": "application/x-mpegurl", "video/quicktime": "video/mp4", "video/x-m4v": "video/mp4",
    ]

    /// A stream that the host passes on has no length and no name of its own.
    private static func isLive(_ media: PlayableMedia) -> Bool {
        media.duration == nil && media.url.deletingPathExtension().lastPathComponent == "stream"
    }
}

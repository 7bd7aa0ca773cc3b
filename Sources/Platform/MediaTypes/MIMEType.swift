/// MIME types of media. Servers and renderers have different names for one format.
public enum MIMEType {
    /// Lower case, without parameters.
    public static func bare(_ text: String) -> String {
        let isPadding = { (character: Character) in character.isWhitespace || character == "\0" }
        let type = text.prefix { $0 != ";" }.drop(while: isPadding)
        return String(type.reversed().drop(while: isPadding).reversed()).lowercased()
    }

    /// `audio` of `audio/mpeg`.
    public static func family(_ mimeType: String) -> String {
        String(mimeType.prefix { $0 != "/" })
    }

    /// Types that say nothing about the format, which servers send when they do not know.
    public static func isGeneric(_ mimeType: String) -> Bool {
        ["", "*", "application/octet-stream", "binary/octet-stream", "application/x-octet-stream", "text/plain"]
            .contains(mimeType)
    }

    /// Returns all names of a format, including the given one.
    public static func aliases(of mimeType: String) -> Set<String> {
        synonyms.first { $0.contains(mimeType) } ?? [mimeType]
    }

    private static let synonyms: [Set<String>] = [
        ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg", "audio/mpg"],
        ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
        ["audio/flac", "audio/x-flac"],
        ["audio/mp4", "audio/m4a", "audio/x-m4a"],
        ["audio/aac", "audio/x-aac", "audio/vnd.dlna.adts", "audio/aacp"],
        // One container: files with Opus are `audio/ogg`, too (RFC 7845 section 9).
        [
            "audio/ogg", "application/ogg", "audio/x-ogg", "audio/vorbis", "audio/x-vorbis", "audio/x-vorbis+ogg",
            "audio/opus", "audio/x-opus", "audio/x-opus+ogg",
        ],
        ["audio/aiff", "audio/x-aiff"],
        ["audio/x-ms-wma", "audio/wma"],
        ["video/mp4", "video/x-m4v", "video/m4v"],
        ["video/x-matroska", "video/matroska", "video/mkv", "video/x-mkv"],
        ["video/mpeg", "video/mpg", "video/mp2p"],
        ["video/mp2t", "video/vnd.dlna.mpeg-tts", "video/mpegts", "video/x-mpegts", "video/mp2ts"],
        ["video/x-msvideo", "video/avi", "video/msvideo", "video/x-avi", "video/divx"],
        ["video/quicktime", "video/mov"],
        ["video/x-ms-wmv", "video/wmv"],
        ["image/jpeg", "image/jpg"],
        ["application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/x-mpegurl", "audio/mpegurl"],
    ]
}

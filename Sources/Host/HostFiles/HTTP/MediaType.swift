/// MIME types by file name extension, as media renderers expect them.
enum MediaType {
    static let unknown = "application/octet-stream"

    /// - Parameter name: File name; only what follows the last dot counts, in any case.
    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let types = [
        // Video
        "3gp": "video/3gpp", "asf": "video/x-ms-asf", "avi": "video/x-msvideo", "flv": "video/x-flv",
        "m2ts": "video/mp2t", "m4v": "video/x-m4v", "mkv": "video/x-matroska", "mov": "video/quicktime",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "mts": "video/mp2t", "ogv": "video/ogg",
        "ts": "video/mp2t", "vob": "video/mpeg", "webm": "video/webm", "wmv": "video/x-ms-wmv",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
        // Audio
        "aac": "audio/aac", "ac3": "audio/ac3", "aif": "audio/aiff", "aiff": "audio/aiff", "alac": "audio/mp4",
        "amr": "audio/amr", "ape": "audio/x-ape", "dff": "audio/x-dff", "dsf": "audio/x-dsf", "dts": "audio/vnd.dts",
        "eac3": "audio/eac3", "flac": "audio/flac", "m4a": "audio/mp4", "m4b": "audio/mp4", "mka": "audio/x-matroska",
        "mp2": "audio/mpeg", "mp3": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "wav": "audio/wav", "weba": "audio/webm", "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack",
        "m3u": "audio/x-mpegurl", "pls": "audio/x-scpls",
        // Subtitles
        "ass": "text/x-ssa", "smi": "application/smil", "srt": "application/x-subrip", "ssa": "text/x-ssa",
        "sub": "text/x-microdvd", "ttml": "application/ttml+xml", "vtt": "text/vtt",
        // Pictures
        "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
        "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff",
        "webp": "image/webp",
    ]
}

/// MIME types by file name extension and by content, as media renderers expect them.
public enum MediaType {
    public static let unknown = "application/octet-stream"

    /// - Parameter name: The file name. Only the part after the last dot counts, and its case doesn't matter.
    public static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// Returns the type for the last component of a URL's path; `nil` if its extension is unknown.
    public static func guess(fromPath path: String) -> String? {
        let type = of(String(path.split(separator: "/").last ?? ""))
        return type == unknown ? nil : type
    }

    /// Returns the type for the first bytes of the media; ``unknown`` if they don't identify it.
    public static func ofBeginning(_ bytes: [UInt8]) -> String {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if has("RIFF") { return has("WAVE", at: 8) ? "audio/wav" : has("AVI ", at: 8) ? "video/x-msvideo" : unknown }
        if has("fLaC") { return "audio/flac" }
        if has("OggS") { return "audio/ogg" }
        if has("ID3") { return "audio/mpeg" }
        if has("FORM") { return "audio/aiff" }
        if has("ftyp", at: 4) { return has("M4A", at: 8) ? "audio/mp4" : "video/mp4" }
        guard bytes.count >= 4 else { return unknown }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/x-matroska" }
        // Eleven bits of synchronisation; layer 0 is AAC.
        if bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 { return bytes[1] & 0x06 == 0 ? "audio/aac" : "audio/mpeg" }
        if bytes[0] == 0x47, bytes.count <= 188 || bytes[188] == 0x47 { return "video/mp2t" }
        return unknown
    }

    /// Returns the shortest file name extension of a type, and of several the alphabetically first; `nil` for an
    /// unknown type.
    public static func suffix(of type: String) -> String? {
        types.filter { $0.value == type }.keys.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
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

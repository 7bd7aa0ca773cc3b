import HostInterface

/// The content of a file, determined by its first bytes, to detect files without media.
///
/// Sources: `magic(5)`, PKWARE APPNOTE 4.3, MS-CFB 2.2, RFC 8216 4.3.1.1.
package enum FileContent: Sendable, Hashable {
    /// Audio, video, a picture, a playlist, or bytes that say nothing.
    case playable
    /// A noun phrase: “a text file”.
    case other(String)

    /// The number of bytes that ``init(_:)`` needs.
    package static let length = 4_096

    private static let playlistSuffixes: Set = ["m3u", "m3u8", "pls", "xspf", "asx", "wpl", "mpd", "smil"]

    /// - Parameters:
    ///   - bytes: The first ``length`` bytes of the file, or all of it.
    ///   - suffix: The file name extension without the dot; a playlist may contain only file names.
    package init(_ bytes: some Collection<UInt8>, suffix: String) {
        let bytes = Array(bytes.prefix(Self.length))
        if bytes.isEmpty {
            self = .other("an empty file")
        } else if Self.mediaMarks.contains(where: { bytes.starts(with: $0.utf8) }) {
            self = .playable
        } else if let kind = Self.binaryKind(bytes) {
            self = .other(kind)
        } else if let text = Self.text(bytes) {
            self =
                Self.playlistSuffixes.contains(suffix.lowercased()) || Self.isPlaylist(text)
                ? .playable : .other(Self.textKind(text))
        } else {
            self = .playable
        }
    }

    // MARK: Binary

    /// The first bytes of media that consist of text, so that a short file could pass for text.
    private static let mediaMarks = ["ID3", "RIFF", "OggS", "fLaC", "FORM", "MThd", "#!AMR", ".snd", "DSD "]

    private static let signatures: [(bytes: [UInt8], kind: String)] = [
        (Array("%PDF-".utf8), "a PDF document"),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an Office document"),
        ([0x1F, 0x8B], "a gzip archive"), (Array("BZh".utf8), "a bzip2 archive"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"), (Array("Rar!\u{1A}\u{07}".utf8), "a RAR archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("SQLite format 3\0".utf8), "a database"),
    ]

    private static func binaryKind(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return zipKind(bytes) }
        if bytes.dropFirst(257).starts(with: "ustar".utf8) { return "a tar archive" }
        return signatures.first { bytes.starts(with: $0.bytes) }?.kind
    }

    /// Documents are ZIP archives; the name of the first file inside begins at byte 30.
    private static func zipKind(_ bytes: [UInt8]) -> String {
        let inside = bytes.dropFirst(30)
        if inside.starts(with: "mimetypeapplication/epub".utf8) { return "an e-book" }
        let documents = [
            "[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "mimetypeapplication/vnd.oasis",
        ]
        return documents.contains { inside.starts(with: $0.utf8) } ? "an Office document" : "a ZIP archive"
    }

    // MARK: Text

    /// Returns the text if all bytes are text; an incomplete character at the end is ignored.
    private static func text(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return wideText(bytes) }
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        for cut in 0...3 where cut == 0 || bytes.count == length {
            guard let text = String(validating: marked.dropLast(cut), as: UTF8.self) else { continue }
            return isReadable(text) ? text : nil
        }
        return nil
    }

    /// Returns UTF-16 text with a byte order mark. An MPEG frame can begin like one, but contains characters that text
    /// doesn't.
    private static func wideText(_ bytes: [UInt8]) -> String? {
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            isLittle
                ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
                : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        for cut in 0...1 where cut == 0 || bytes.count == length {
            guard let text = String(validating: units.dropLast(cut), as: UTF16.self) else { continue }
            return isReadable(text) ? text : nil
        }
        return nil
    }

    private static func isReadable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            // Tab, line feed, form feed, carriage return, escape (of coloured logs).
            if scalar.value < 0x20 { return [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(scalar.value) }
            switch scalar.properties.generalCategory {
            case .control, .unassigned, .privateUse: return false
            default: return true
            }
        }
    }

    /// Returns a Boolean value that indicates whether text is a playlist, which the device or its extension handles.
    private static func isPlaylist(_ text: String) -> Bool {
        let head = text.drop { $0.isWhitespace }.prefix(1_024).lowercased()
        if head.hasPrefix("#extm3u") || head.hasPrefix("[playlist]") || head.hasPrefix("[reference]") { return true }
        if ["<asx", "<smil", "<playlist", "<mpd", "<?wpl"].contains(where: { head.hasPrefix($0) }) { return true }
        if head.hasPrefix("<?xml"), ["<playlist", "<mpd", "<smil", "<asx"].contains(where: { head.contains($0) }) {
            return true
        }
        // M3U without its header: nothing but comments and addresses.
        let lines = head.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        return lines.first.map { $0.contains("://") && !$0.contains(where: \.isWhitespace) } ?? false
    }

    private static func textKind(_ text: String) -> String {
        let head = text.drop { $0.isWhitespace }.prefix(256).lowercased()
        if text.hasPrefix("#!") { return "a script" }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return "a web page" }
        if head.hasPrefix("{\\rtf") { return "an RTF document" }
        return "a text file"
    }
}

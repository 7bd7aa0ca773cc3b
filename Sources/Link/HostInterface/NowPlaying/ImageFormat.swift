/// The format of a picture, determined only by its first bytes.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg, png, gif, webp, bmp, avif, heic

    /// Determines the format; `nil` for other data and unsupported formats.
    package init?(sniffing bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(16))
        func has(_ text: String, at offset: Int) -> Bool {
            head.count >= offset + text.utf8.count && head[offset...].starts(with: text.utf8)
        }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
            self = .gif
        } else if has("RIFF", at: 0), has("WEBP", at: 8) {
            self = .webp
        } else if has("BM", at: 0), head.count >= 14 {
            self = .bmp
        } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
            self = .avif
        } else if ["heic", "heix", "mif1"].contains(where: { has("ftyp" + $0, at: 4) }) {
            self = .heic
        } else {
            return nil
        }
    }

    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    package var mediaType: String { "image/" + rawValue }
}

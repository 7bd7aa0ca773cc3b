/// The text of a subtitle file, whose encoding no file declares.
enum SubtitleText {
    /// Returns the text of the bytes: UTF-16 and UTF-8 by their byte order mark, UTF-16 by its zeros, UTF-8 if it is
    /// valid, otherwise Windows-1252, in which most older files are.
    static func decode(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), isLittle: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), isLittle: false) }
        // These files begin with a digit or the letter W.
        if bytes.count >= 2, bytes[1] == 0, bytes[0] != 0 { return wide(bytes[...], isLittle: true) }
        if bytes.count >= 2, bytes[0] == 0, bytes[1] != 0 { return wide(bytes[...], isLittle: false) }
        return String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(windows)))
    }

    private static func wide(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            isLittle
                ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
                : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func windows(_ byte: UInt8) -> Unicode.Scalar {
        0x80...0x9F ~= byte ? specials[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// 0x80 to 0x9F of Windows-1252. Source: WHATWG Encoding Standard, index windows-1252.
    private static let specials = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

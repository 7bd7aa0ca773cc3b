/// The conversion of a document in any encoding to UTF-8.
enum XMLEncoding {
    /// UTF-8 bytes without a byte order mark.
    ///
    /// UTF-16 is recognised by its mark, the Latin encodings by the declaration; everything else is read as UTF-8.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), highFirst: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), highFirst: false) }
        let declaration = String(decoding: bytes.prefix(120), as: UTF8.self).lowercased()
        guard declaration.contains("iso-8859-1") || declaration.contains("windows-1252") else { return bytes }
        return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, highFirst: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            units.append(highFirst ? first << 8 | second : second << 8 | first)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

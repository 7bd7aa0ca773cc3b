/// The encoding and decoding of character data.
package enum XMLText {
    /// Escapes for use as text or inside a quoted attribute.
    ///
    /// Characters that XML 1.0 does not allow at all (most control characters) are dropped.
    package static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: if isAllowed(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Decodes the five predefined entities and character references.
    ///
    /// Any other ampersand stays unchanged: some renderers (GUPnP) return metadata with one level of escaping lost, and
    /// there are no other entities because document types are refused.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), let (scalar, end) = reference(in: bytes, at: index) {
                result.append(contentsOf: String(Character(scalar)).utf8)
                index = end
            } else {
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let longestReference = 12

    private static func reference(
        in bytes: ArraySlice<UInt8>, at start: Int
    ) -> (scalar: Unicode.Scalar, end: Int)? {
        let window = bytes[(start + 1)...].prefix(longestReference)
        guard let semicolon = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[(start + 1)..<semicolon], as: UTF8.self)
        let scalar: Unicode.Scalar?
        switch name {
        case "amp": scalar = "&"
        case "lt": scalar = "<"
        case "gt": scalar = ">"
        case "quot": scalar = "\""
        case "apos": scalar = "'"
        default:
            let digits = name.dropFirst()
            guard name.first == "#" else { return nil }
            let number =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            scalar = number.flatMap(Unicode.Scalar.init).flatMap { isAllowed($0) ? $0 : nil }
        }
        return scalar.map { ($0, semicolon + 1) }
    }

    /// XML 1.0, production 2.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

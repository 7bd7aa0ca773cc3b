package import Foundation

/// A guard that refuses data which would crash Foundation's property list parser.
///
/// The parser uses a stack frame per nested collection, so a small file of `<array>` tags ends the process. The guard
/// checks the depth first, in the two formats in which it can: XML in UTF-8, and binary, which the decoder walks only
/// as deep as the requested type.
package enum PropertyListGuard {
    /// The greatest depth of tags; an `Info.plist` needs 7.
    package static let greatestDepth = 64

    package static func check(_ data: Data, path: String) throws(ProgramInformationError) {
        func error(_ reason: ProgramInformationError.Reason) -> ProgramInformationError {
            ProgramInformationError(path: path, reason: reason)
        }
        guard data.count <= ProgramInformationError.greatestSize else { throw error(.tooLarge(data.count)) }
        let bytes = [UInt8](data)
        if bytes.starts(with: Array("bplist".utf8)) { return }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw error(.malformed("it is neither binary nor XML in UTF-8"))
        }
        let content = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard content.hasPrefix("<") else { throw error(.malformed("it does not begin with a tag")) }
        // In another encoding the tags could be spelled with other bytes than the ones counted below.
        let header = content.hasPrefix("<?") ? content.prefix(while: { $0 != ">" }).lowercased() : ""
        guard !header.contains("encoding") || header.contains("utf-8") || header.contains("us-ascii") else {
            throw error(.malformed("its encoding is not UTF-8"))
        }
        guard depth(of: bytes) <= greatestDepth else { throw error(.tooDeep) }
    }

    /// Returns the highest number of tags that are open at once. Comments, declarations and character data contain no
    /// tags.
    private static func depth(of bytes: [UInt8]) -> Int {
        var (depth, greatest, index) = (0, 0, 0)
        func skip(past terminator: String) {
            let terminator = Array(terminator.utf8)
            while index < bytes.count, !bytes[index...].starts(with: terminator) { index += 1 }
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            let rest = bytes[index...]
            if rest.starts(with: Array("<!--".utf8)) {
                skip(past: "-->")
            } else if rest.starts(with: Array("<![CDATA[".utf8)) {
                skip(past: "]]>")
            } else if rest.starts(with: Array("</".utf8)) {
                depth -= 1
            } else if !rest.starts(with: Array("<?".utf8)), !rest.starts(with: Array("<!".utf8)) {
                skip(past: ">")
                if index < bytes.count, bytes[index - 1] != UInt8(ascii: "/") {
                    depth += 1
                    greatest = max(greatest, depth)
                }
            }
            index += 1
        }
        return greatest
    }
}

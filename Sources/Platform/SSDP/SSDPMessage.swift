/// One SSDP datagram: its kind and its headers (UPnP Device Architecture 2.0, §1.2 and §1.3).
package struct SSDPMessage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `NOTIFY` with `NTS: ssdp:alive`, `ssdp:byebye`, `ssdp:update`.
        case alive, byebye, update
        /// The answer to a search.
        case response
        case search
    }

    package static let maximumSize = 8 * 1024
    package static let maximumHeaders = 64

    package let kind: Kind
    /// Upper-case name to trimmed value; the first of equal names. Bytes that are no UTF-8 are replaced.
    package let headers: [String: String]

    /// Reads a datagram. Lines may end in LF or CRLF, names in any case, a missing empty line at the end is forgiven,
    /// and so are lines without a colon; an indented line continues the one before.
    package init(parsing datagram: some Collection<UInt8>) throws(SSDPError) {
        guard datagram.count <= Self.maximumSize else { throw .tooLong(datagram.count) }
        let lines = Array(datagram).split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
            line.last == 0x0d ? line.dropLast() : line
        }
        let start = String(decoding: lines.first ?? [], as: UTF8.self)
        let verb = try Self.verb(start)
        headers = try Self.headers(lines.dropFirst())
        switch verb {
        case .search: kind = .search
        case .response: kind = .response
        case .notify:
            switch headers["NTS"]?.lowercased() {
            case "ssdp:alive": kind = .alive
            case "ssdp:byebye": kind = .byebye
            case "ssdp:update": kind = .update
            case nil: throw .missingHeader("NTS")
            default: throw .invalidHeader("NTS")
            }
        }
    }

    private enum Verb { case notify, search, response }

    private static func verb(_ line: String) throws(SSDPError) -> Verb {
        let words = line.split(separator: " ", maxSplits: 3).map { $0.uppercased() }
        guard words.count >= 2 else { throw .unknownStartLine }
        if words[0].hasPrefix("HTTP/1.") {
            guard let status = Int(words[1]), (100...999).contains(status) else { throw .unknownStartLine }
            guard status == 200 else { throw .unsuccessful(status: status) }
            return .response
        }
        guard words.count == 3, words[1] == "*", words[2].hasPrefix("HTTP/1.") else { throw .unknownStartLine }
        switch words[0] {
        case "NOTIFY": return .notify
        case "M-SEARCH": return .search
        default: throw .unknownStartLine
        }
    }

    private static func headers(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(SSDPError) -> [String: String] {
        var headers: [String: String] = [:]
        var count = 0
        var last: String?
        for (offset, line) in lines.enumerated() {
            guard let first = line.first else { break }
            let number = offset + 2
            if first == 0x20 || first == 0x09 {
                let continued = try value(line, line: number)
                if let last, !continued.isEmpty { headers[last]?.append(" " + continued) }
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            count += 1
            guard count <= maximumHeaders else { throw .tooManyHeaders(count) }
            var name = line[..<colon]
            while let end = name.last, end == 0x20 || end == 0x09 { name.removeLast() }
            guard !name.isEmpty, name.allSatisfy(isTokenCharacter) else { throw .malformedHeader(line: number) }
            let key = String(decoding: name, as: UTF8.self).uppercased()
            let text = try value(line[line.index(after: colon)...], line: number)
            last = headers[key] == nil ? key : nil
            if last != nil { headers[key] = text }
        }
        return headers
    }

    private static func value(_ bytes: ArraySlice<UInt8>, line: Int) throws(SSDPError) -> String {
        // A control character has no use in a value and could drive the terminal that shows it.
        guard bytes.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }) else {
            throw .malformedHeader(line: line)
        }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var trimmed = bytes.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return String(decoding: trimmed, as: UTF8.self)
    }

    /// RFC 9110 §5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

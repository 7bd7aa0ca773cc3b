/// A parser that extracts messages from bytes in pieces of any size.
///
/// `RTSP/1.0` and `HTTP/1.1` are parsed alike, because receivers send either. A body without a length is empty, because
/// nothing in this protocol is delimited by the end of the connection.
///
/// Source: RFC 2326 §4, §7.
package struct RTSPParser<Message: RTSPParsedMessage>: Sendable {
    private let limits: RTSPLimits
    private var buffer: [UInt8] = []
    private var head: Message?
    private var bodyLength = 0
    /// Bytes of `buffer` in which the end of the head is not.
    private var searched = 0

    package init(limits: RTSPLimits = RTSPLimits()) { self.limits = limits }

    package mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

    /// Returns the next complete message; `nil` until more bytes arrive.
    ///
    /// - Throws: ``AirPlayError/malformed(_:)`` or ``AirPlayError/tooLarge(_:)``; the parser is unusable afterwards.
    package mutating func next() throws(AirPlayError) -> Message? {
        if head == nil { try readHead() }
        guard var message = head, buffer.count >= bodyLength else { return nil }
        message.body = Array(buffer.prefix(bodyLength))
        buffer.removeFirst(bodyLength)
        head = nil
        searched = 0
        return message
    }

    /// Returns and removes the bytes after the last message, for another parser.
    package mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    private mutating func readHead() throws(AirPlayError) {
        // Some receivers end a body with a line break that its length does not count.
        let blank = buffer.prefix { $0 == 13 || $0 == 10 }.count
        if blank > 0 {
            buffer.removeFirst(blank)
            searched = 0
        }
        guard let end = endOfHead() else {
            searched = max(0, buffer.count - 3)
            guard buffer.count <= limits.head else { throw .tooLarge("a head") }
            return
        }
        guard end <= limits.head else { throw .tooLarge("a head") }
        guard let text = String(validating: buffer[..<end], as: UTF8.self) else {
            throw .malformed("a head that is no text")
        }
        let message = try Self.message(text)
        let length = try Self.bodyLength(message.headers)
        guard length <= limits.body else { throw .tooLarge("a body") }
        buffer.removeFirst(end)
        head = message
        bodyLength = length
    }

    /// Behind the empty line; lines may end without a carriage return.
    private func endOfHead() -> Int? {
        var index = searched
        while index < buffer.count {
            if buffer[index] == 10 {
                let rest = buffer[(index + 1)...]
                if rest.first == 10 { return index + 2 }
                if rest.first == 13, rest.dropFirst().first == 10 { return index + 3 }
            }
            index += 1
        }
        return nil
    }

    private static func message(_ text: String) throws(AirPlayError) -> Message {
        // Split scalars, not characters: a carriage return with its line feed is one character.
        var lines = text.unicodeScalars.split(separator: "\n").map { line in
            String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
        }
        let first = lines.isEmpty ? "" : lines.removeFirst()
        var headers: RTSPHeaders = [:]
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw .malformed("“\(line.prefix(80))” is no header")
            }
            headers.append(trimmed(line[..<colon]), trimmed(line[line.index(after: colon)...]))
        }
        return try Message(firstLine: first, headers: headers)
    }

    private static func bodyLength(_ headers: RTSPHeaders) throws(AirPlayError) -> Int {
        guard let text = headers["Content-Length"] else { return 0 }
        guard text.utf8.count < 10, text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(text) else {
            throw .malformed("“\(text.prefix(80))” is no length")
        }
        return length
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }
}

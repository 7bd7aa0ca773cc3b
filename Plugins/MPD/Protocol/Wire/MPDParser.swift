public import DeviceConnections

/// Parses greetings, replies and refusals from a server's bytes, in pieces of any size.
///
/// Source: MPD protocol reference, "Protocol overview".
public struct MPDParser: Sendable {
    public enum Event: Sendable, Hashable {
        case greeting(MPDVersion)
        case reply(MPDReply)
        case refusal(MPDRefusal)
    }

    private enum State: Sendable, Hashable {
        case greeting
        case lines
        /// A binary chunk with this number of remaining bytes, then a line feed.
        case binary(Int)
        case failed(TransportFailure)
    }

    private let limits: MPDLimits
    private var state = State.greeting
    private var buffer: [UInt8] = []
    private var readIndex = 0
    /// The index at which the search for the next line feed continues, so that a long line is scanned once.
    private var searchIndex = 0
    private var part = MPDReply.Part()
    private var finished: [MPDReply.Part] = []
    private var responseSize = 0

    public init(limits: MPDLimits = MPDLimits()) { self.limits = limits }

    /// Adds bytes as they came from the network.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if case .failed = state { return }
        if readIndex > 0 {
            buffer.removeSubrange(..<readIndex)
            searchIndex -= readIndex
            readIndex = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete event; `nil` if it needs more bytes.
    ///
    /// - Throws: `malformed` or `tooLarge`.
    public mutating func next() throws(TransportFailure) -> Event? {
        if case .failed(let error) = state { throw error }
        do throws(TransportFailure) {
            while true {
                if case .binary(let count) = state {
                    guard try takeBinary(count) else { return nil }
                    continue
                }
                guard let line = try takeLine() else { return nil }
                if let event = try handle(line) { return event }
            }
        } catch {
            state = .failed(error)
            buffer = []
            readIndex = 0
            searchIndex = 0
            throw error
        }
    }

    private mutating func takeLine() throws(TransportFailure) -> String? {
        guard let end = buffer[searchIndex...].firstIndex(of: 0x0A) else {
            searchIndex = buffer.count
            guard buffer.count - readIndex <= limits.line else { throw overlong() }
            return nil
        }
        guard end - readIndex <= limits.line else { throw overlong() }
        let line = String(decoding: buffer[readIndex..<end], as: UTF8.self)
        responseSize += end - readIndex
        readIndex = end + 1
        searchIndex = readIndex
        guard responseSize <= limits.response else { throw .tooLarge("a response") }
        return line
    }

    private func overlong() -> TransportFailure {
        state == .greeting
            ? Self.foreign(String(decoding: buffer.prefix(80), as: UTF8.self)) : .tooLarge("a line")
    }

    private mutating func takeBinary(_ count: Int) throws(TransportFailure) -> Bool {
        guard buffer.count - readIndex > count else { return false }
        let end = readIndex + count
        guard buffer[end] == 0x0A else { throw .malformed("binary data doesn't end where it said") }
        part.binary = Array(buffer[readIndex..<end])
        readIndex = end + 1
        searchIndex = readIndex
        state = .lines
        return true
    }

    private mutating func handle(_ line: String) throws(TransportFailure) -> Event? {
        if state == .greeting {
            guard let version = MPDVersion(greeting: line) else { throw Self.foreign(line) }
            state = .lines
            responseSize = 0
            return .greeting(version)
        }
        switch line {
        case "OK":
            // Inside a list the last command's `list_OK` has already closed its part.
            if finished.isEmpty || part != MPDReply.Part() { finished.append(part) }
            return .reply(finishResponse())
        case "list_OK":
            finished.append(part)
            part = MPDReply.Part()
            return nil
        default: break
        }
        if line.hasPrefix("ACK") {
            guard let refusal = MPDRefusal(line: line) else { throw .malformed("“\(Self.excerpt(line))”") }
            _ = finishResponse()
            return .refusal(refusal)
        }
        try handleField(line)
        return nil
    }

    private mutating func handleField(_ line: String) throws(TransportFailure) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw .malformed("“\(Self.excerpt(line))”")
        }
        let key = line[..<colon]
        let value = line[line.utf8.index(after: colon)...]
        guard key.utf8.allSatisfy(Self.isKeyByte), value.isEmpty || value.utf8.first == UInt8(ascii: " ") else {
            throw .malformed("“\(Self.excerpt(line))”")
        }
        let field = MPDReply.Part.Field(String(key), String(value.dropFirst()))
        if field.key == "binary" {
            guard let count = Int(field.value), count >= 0, part.binary == nil else {
                throw .malformed("“\(Self.excerpt(line))”")
            }
            guard count <= limits.binary else { throw .tooLarge("binary data") }
            state = .binary(count)
        }
        part.fields.append(field)
    }

    private mutating func finishResponse() -> MPDReply {
        defer {
            part = MPDReply.Part()
            finished = []
            responseSize = 0
        }
        return MPDReply(parts: finished)
    }

    private static func foreign(_ greeting: String) -> TransportFailure {
        .malformed("it isn't an MPD server, it said “\(excerpt(greeting))”")
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns the first 80 characters, without control characters.
    private static func excerpt(_ line: String) -> String {
        String(line.unicodeScalars.prefix(80).map { $0.value < 0x20 || $0.value == 0x7F ? "·" : Character($0) })
    }
}

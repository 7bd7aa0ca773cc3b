/// Divides the bytes of a Cast connection into messages: each has its length before it, 4 bytes, big-endian.
public struct CastFrames: Sendable {
    /// The longest message, in bytes.
    public static let longest = 64 << 10

    /// The reason why a connection can't be read any further.
    public enum Failure: Error, Sendable, Hashable {
        case tooLong
        case malformed
    }

    private var buffer: [UInt8] = []

    public init() {}

    /// Appends bytes, in pieces of any size.
    ///
    /// - Returns: The messages that are complete now.
    public mutating func append(_ bytes: some Sequence<UInt8>) throws(Failure) -> [CastMessage] {
        buffer += bytes
        var messages: [CastMessage] = []
        var rest = buffer[...]
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= Self.longest else { throw .tooLong }
            guard rest.count >= 4 + length else { break }
            guard let message = try? CastMessage(rest.dropFirst(4).prefix(length)) else { throw .malformed }
            messages.append(message)
            rest = rest.dropFirst(4 + length)
        }
        // Not for every piece of a long message.
        if !messages.isEmpty { buffer = Array(rest) }
        return messages
    }

    /// Returns a message with its length before it; `nil` for one that is too long to send.
    public static func encode(_ message: CastMessage) -> [UInt8]? {
        let bytes = message.encoded
        guard bytes.count <= longest else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
    }
}

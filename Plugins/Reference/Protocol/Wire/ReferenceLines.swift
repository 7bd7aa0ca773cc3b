import Foundation

/// The framing of the protocol: splits a stream of bytes into lines, and encodes lines (PROTOCOL.md, Lines).
public struct ReferenceLines: Sendable {
    /// A violation of the protocol by the peer.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        case lineTooLong
        /// The line can't be parsed; the text is its beginning.
        case notUnderstood(String)

        public var description: String {
            switch self {
            case .lineTooLong: "a line is longer than \(ReferenceLines.longestLine) bytes"
            case .notUnderstood(let line): "a line is not of this protocol: \(line)"
            }
        }
    }

    /// The longest accepted line in bytes: room for 1 MiB of application data in base64.
    public static let longestLine = 1_500_000

    private var pending: [UInt8] = []

    public init() {}

    /// Appends bytes and returns the lines they complete, without line feeds. Empty lines are skipped.
    public mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = ArraySlice(Array(bytes))
        while let end = Self.lineFeed(in: rest) {
            try append(rest[..<end])
            if !pending.isEmpty { lines.append(pending) }
            pending = []
            rest = rest[(end + 1)...]
        }
        try append(rest)
        return lines
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        guard pending.count + bytes.count <= Self.longestLine else { throw .lineTooLong }
        pending += bytes
    }

    /// Pictures are long, so the C library searches.
    private static func lineFeed(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base, 10, buffer.count) else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - base)
        }
    }

    /// Decodes one line.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from line: [UInt8]
    ) throws(Failure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(line))
        } catch {
            throw .notUnderstood(String(decoding: line.prefix(80), as: UTF8.self))
        }
    }

    /// Encodes one line with its line feed.
    public static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers that JSON does not have are the only thing that could fail.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let data = (try? encoder.encode(value)) ?? Data("{}".utf8)
        return Array(data) + [UInt8(ascii: "\n")]
    }
}

/// A message of the Cast channel, and its encoding as the protocol buffer `CastMessage`.
///
/// The codec is written by hand: seven fields of two wire types are less code than a generated file, and don't need the
/// package swift-protobuf with its compiler. Source: `cast_channel.proto` of Open Screen.
public struct CastMessage: Sendable, Hashable {
    /// The content of a message.
    public enum Payload: Sendable, Hashable {
        case text(String)
        case binary([UInt8])
    }

    /// The reason why bytes are no message.
    public enum Failure: Error, Sendable, Hashable {
        /// The bytes violate the encoding, or a required field is missing.
        case malformed
        /// The message is one part of a longer one. No known device sends that.
        case chunked
    }

    public var source: String
    public var destination: String
    public var namespace: String
    public var payload: Payload

    public init(from source: String, to destination: String, namespace: String, payload: Payload) {
        self.source = source
        self.destination = destination
        self.namespace = namespace
        self.payload = payload
    }

    /// Decodes a message, without the length before it. Unknown fields are skipped.
    public init(_ bytes: some Collection<UInt8>) throws(Failure) {
        var reader = FieldReader(bytes)
        var texts: [UInt64: String] = [:]
        var binary: [UInt8]?
        var isBinary = false
        while let (number, value) = try reader.next() {
            switch (number, value) {
            case (2, .bytes(let text)), (3, .bytes(let text)), (4, .bytes(let text)), (6, .bytes(let text)):
                texts[number] = String(decoding: text, as: UTF8.self)
            case (5, .number(let type)): isBinary = type == 1
            case (7, .bytes(let bytes)): binary = bytes
            case (8, .number(let isContinued)): guard isContinued == 0 else { throw .chunked }
            default: break
            }
        }
        guard let source = texts[2], let destination = texts[3], let namespace = texts[4] else { throw .malformed }
        let payload: Payload = isBinary ? .binary(binary ?? []) : .text(texts[6] ?? "")
        self.init(from: source, to: destination, namespace: namespace, payload: payload)
    }

    /// Encodes the message, without the length before it.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [0x08, 0]
        func append(_ number: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(number << 3 | 2)
            bytes += Self.varint(UInt64(content.count))
            bytes += content
        }
        append(2, Array(source.utf8))
        append(3, Array(destination.utf8))
        append(4, Array(namespace.utf8))
        switch payload {
        case .text(let text):
            bytes += [0x28, 0]
            append(6, Array(text.utf8))
        case .binary(let content):
            bytes += [0x28, 1]
            append(7, content)
        }
        return bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt64) = ([], value)
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// Reads the fields of a protocol buffer in order.
private struct FieldReader {
    enum Value {
        case number(UInt64)
        case bytes([UInt8])
        case skipped
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    mutating func next() throws(CastMessage.Failure) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0 else { throw .malformed }
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try varint()))
        case 1: _ = try take(8)
        case 2: return (tag >> 3, .bytes(try take(try varint())))
        case 5: _ = try take(4)
        default: throw .malformed
        }
        return (tag >> 3, .skipped)
    }

    private mutating func take(_ count: UInt64) throws(CastMessage.Failure) -> [UInt8] {
        guard count <= UInt64(rest.count) else { throw .malformed }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func varint() throws(CastMessage.Failure) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed
    }
}

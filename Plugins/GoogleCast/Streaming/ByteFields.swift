/// Reads big-endian numbers, never beyond the end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var count: Int { rest.count }

    mutating func take(_ count: Int) throws(StreamingError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ type: N.Type = N.self) throws(StreamingError) -> N {
        try take(N.bitWidth / 8).reduce(0) { $0 << 8 | N($1) }
    }
}

extension Array<UInt8> {
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

/// The reason why a datagram isn't used.
public enum StreamingError: Error, Sendable, Hashable {
    case truncated
    /// It isn't RTP or RTCP as Cast has them.
    case malformed
}

/// Frame numbers, of which packets have the last eight bits.
enum FrameNumbers {
    /// Returns the number after `base` with these last bits, `base + 1 ... base + 256`.
    static func after(_ base: Int, _ bits: UInt8) -> Int {
        base + 1 + Int(bits &- UInt8(truncatingIfNeeded: base + 1))
    }

    /// Returns the number not after `base` with these last bits, `base - 255 ... base`.
    static func notAfter(_ base: Int, _ bits: UInt8) -> Int {
        base - Int(UInt8(truncatingIfNeeded: base) &- bits)
    }
}

/// A packet of PulseAudio's native protocol that isn't what was announced or negotiated.
package struct TunnelFailure: Error, Hashable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The tagged values of a command in PulseAudio's native protocol, all in network byte order.
///
/// Source: PulseAudio 16.1, `pulsecore/tagstruct.h`.
enum TunnelTag: UInt8 {
    case string = 0x74  // t
    case noString = 0x4E  // N
    case number = 0x4C  // L
    case signed64 = 0x72  // r
    case microseconds = 0x55  // U
    case yes = 0x31  // 1
    case no = 0x30  // 0
    case time = 0x54  // T
    case format = 0x61  // a
    case channels = 0x6D  // m
    case volume = 0x76  // v

    /// The positions of two channels.
    static let frontLeftAndRight: [UInt8] = [1, 2]
}

/// Writes the values of a command.
struct TunnelWriter {
    private(set) var bytes: [UInt8] = []

    init(_ command: TunnelCommand, tag: UInt32) {
        put(command.rawValue)
        put(tag)
    }

    mutating func put(_ number: UInt32) { tagged(.number) { $0.big(number) } }
    mutating func put(_ isTrue: Bool) { tagged(isTrue ? .yes : .no) { _ in } }
    mutating func put(microseconds: UInt64) { tagged(.microseconds) { $0.big(microseconds) } }
    mutating func put(signed: Int64) { tagged(.signed64) { $0.big(signed) } }

    mutating func put(_ text: String) {
        tagged(.string) { $0.bytes += Array(text.utf8) + [0] }
    }

    mutating func put(_ time: TunnelTime) {
        tagged(.time) {
            $0.big(time.seconds)
            $0.big(time.microseconds)
        }
    }

    /// Puts signed samples of 16 bits, little end first, in two channels.
    mutating func putFormat(rate: Int) {
        tagged(.format) {
            $0.bytes += [3, 2]
            $0.big(UInt32(rate))
        }
    }

    /// Puts front left and front right.
    mutating func putChannels() { tagged(.channels) { $0.bytes += [2] + TunnelTag.frontLeftAndRight } }

    mutating func put(volume: UInt32) {
        tagged(.volume) {
            $0.bytes.append(2)
            $0.big(volume)
            $0.big(volume)
        }
    }

    private mutating func tagged(_ tag: TunnelTag, _ body: (inout Self) -> Void) {
        bytes.append(tag.rawValue)
        body(&self)
    }

    private mutating func big(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes += Array($0) }
    }
}

/// A time of day.
package struct TunnelTime: Hashable {
    var seconds: UInt32
    var microseconds: UInt32

    package init(seconds: UInt32, microseconds: UInt32) {
        self.seconds = seconds
        self.microseconds = microseconds
    }
}

/// Reads the values of a command, one after the other.
///
/// - Throws: ``TunnelFailure`` if the next value is of another kind, or missing.
struct TunnelReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number() throws(TunnelFailure) -> UInt32 {
        try expect(.number)
        return try big()
    }

    mutating func bool() throws(TunnelFailure) -> Bool {
        switch rest.popFirst().flatMap(TunnelTag.init) {
        case .yes: return true
        case .no: return false
        default: throw TunnelFailure("a value isn't a Boolean")
        }
    }

    mutating func microseconds() throws(TunnelFailure) -> UInt64 {
        try expect(.microseconds)
        return try big()
    }

    mutating func time() throws(TunnelFailure) -> TunnelTime {
        try expect(.time)
        return TunnelTime(seconds: try big(), microseconds: try big())
    }

    /// Reads the volume of the loudest channel.
    mutating func volume() throws(TunnelFailure) -> UInt32 {
        try expect(.volume)
        guard let count = rest.popFirst(), 1...32 ~= count else { throw TunnelFailure("a volume has no channels") }
        var loudest: UInt32 = 0
        for _ in 0..<count { loudest = max(loudest, try big()) }
        return loudest
    }

    mutating func string() throws(TunnelFailure) -> String? {
        switch rest.popFirst().flatMap(TunnelTag.init) {
        case .noString: return nil
        case .string:
            guard let end = rest.firstIndex(of: 0) else { throw TunnelFailure("a string has no end") }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        default: throw TunnelFailure("a value isn't a string")
        }
    }

    /// Reads the sample format, its rate and the channels.
    mutating func format() throws(TunnelFailure) -> (format: UInt8, channels: UInt8, rate: UInt32) {
        try expect(.format)
        guard let format = rest.popFirst(), let channels = rest.popFirst() else {
            throw TunnelFailure("a sample format is incomplete")
        }
        return (format, channels, try big())
    }

    /// Reads the positions of channels.
    mutating func channels() throws(TunnelFailure) -> [UInt8] {
        try expect(.channels)
        guard let count = rest.popFirst(), rest.count >= count else { throw TunnelFailure("channels are missing") }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func expect(_ tag: TunnelTag) throws(TunnelFailure) {
        guard rest.popFirst() == tag.rawValue else { throw TunnelFailure("a value isn't of the kind \(tag)") }
    }

    private mutating func big<Number: FixedWidthInteger>() throws(TunnelFailure) -> Number {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { throw TunnelFailure("a number is incomplete") }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { $0 << 8 | Number($1) }
    }
}

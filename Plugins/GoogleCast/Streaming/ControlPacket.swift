/// A message about a stream. A datagram contains one or more of them.
///
/// Source: RFC 3550 §6, RFC 3611 §4.4, RFC 4585 §6.3.1, and the feedback of Cast Streaming.
public enum ControlPacket: Sendable, Hashable {
    case senderReport(SenderReport)
    /// - Parameter receiver: The receiver's number of the stream.
    case receiverReport(receiver: UInt32, [ReportBlock])
    /// The receiver's clock.
    case referenceTime(receiver: UInt32, NetworkTime)
    case feedback(StreamFeedback)
    /// The receiver can't decode the pictures any more and waits for a key frame.
    case pictureLoss(receiver: UInt32, source: UInt32)
    /// A message of another kind.
    case other(type: UInt8)

    static let feedbackSubtype: UInt8 = 15
    static let pictureLossSubtype: UInt8 = 1

    /// Reads a datagram.
    public static func all(in bytes: [UInt8]) throws(StreamingError) -> [ControlPacket] {
        var packets: [ControlPacket] = []
        var reader = ByteReader(bytes[...])
        while reader.count > 0 {
            let first = try reader.number(UInt8.self)
            let type = try reader.number(UInt8.self)
            let length = Int(try reader.number(UInt16.self)) * 4
            guard first >> 5 == 0b100, 192...223 ~= type else { throw .malformed }
            var content = ByteReader(try reader.take(length))
            packets += try read(type, first & 0x1F, &content)
        }
        return packets
    }

    private static func read(
        _ type: UInt8, _ count: UInt8, _ content: inout ByteReader
    ) throws(StreamingError) -> [ControlPacket] {
        switch (type, count) {
        case (200, _): return [.senderReport(try SenderReport(&content))]
        case (201, _):
            let receiver = try content.number(UInt32.self)
            var blocks: [ReportBlock] = []
            for _ in 0..<count { blocks.append(try ReportBlock(&content)) }
            return [.receiverReport(receiver: receiver, blocks)]
        case (206, feedbackSubtype): return [.feedback(try StreamFeedback(&content))]
        case (206, pictureLossSubtype):
            return [.pictureLoss(receiver: try content.number(), source: try content.number())]
        case (207, _):
            let receiver = try content.number(UInt32.self)
            var packets: [ControlPacket] = []
            while content.count > 0 {
                let kind = try content.number(UInt16.self) >> 8
                var block = ByteReader(try content.take(Int(try content.number(UInt16.self)) * 4))
                guard kind == 4 else { continue }
                guard block.count == 8 else { throw .malformed }
                packets.append(.referenceTime(receiver: receiver, NetworkTime(bits: try block.number())))
            }
            return packets
        default: return [.other(type: type)]
        }
    }

    static func encode(_ type: UInt8, _ count: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x80 | count, type]
        bytes.append(bigEndian: UInt16(content.count / 4))
        return bytes + content
    }
}

/// A time of the network time protocol: 32 bits of seconds since 1900 and 32 of their parts.
public struct NetworkTime: Sendable, Hashable {
    public let bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    /// - Parameter seconds: Since 1900; others are taken modulo 2³².
    public init(seconds: Double) {
        let whole = seconds.rounded(.down)
        bits =
            UInt64(whole.truncatingRemainder(dividingBy: 4_294_967_296).magnitude) << 32
            | UInt64(min((seconds - whole) * 4_294_967_296, 4_294_967_295))
    }

    /// The bits by which a receiver names a report.
    public var middle: UInt32 { UInt32(truncatingIfNeeded: bits >> 16) }
}

/// The sender's clock, and the timestamp that belongs to its time. Without it, a receiver can't place frames in time.
public struct SenderReport: Sendable, Hashable {
    public var source: UInt32
    public var time: NetworkTime
    public var timestamp: UInt32
    public var packets: UInt32
    public var bytes: UInt32

    /// The report as a datagram.
    public var encoded: [UInt8] { ControlPacket.encode(200, 0, content) }

    var content: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: source)
        bytes.append(bigEndian: time.bits)
        for number in [timestamp, packets, self.bytes] { bytes.append(bigEndian: number) }
        return bytes
    }
}

/// The quality of a stream at its receiver.
public struct ReportBlock: Sendable, Hashable {
    public var source: UInt32
    /// The part of the packets lost since the last report, of 256.
    public var fractionLost: UInt8
    /// 24 bits.
    public var lost: UInt32
    public var highestSequenceNumber: UInt32
    /// In units of the timestamp.
    public var jitter: UInt32
    /// The ``NetworkTime/middle`` of the last sender report; 0 for none.
    public var lastReport: UInt32
    /// The time since it arrived, in 1/65,536 s.
    public var delay: UInt32
}

extension ReportBlock {
    init(_ content: inout ByteReader) throws(StreamingError) {
        let (source, losses) = (try content.number(UInt32.self), try content.number(UInt32.self))
        self.init(
            source: source, fractionLost: UInt8(losses >> 24), lost: losses & 0xFF_FFFF,
            highestSequenceNumber: try content.number(), jitter: try content.number(),
            lastReport: try content.number(), delay: try content.number())
    }
}

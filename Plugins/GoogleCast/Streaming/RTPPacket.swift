/// A part of a frame, as it is sent.
///
/// Source: RFC 3550 §5.1 and the Cast Streaming header behind it.
public struct RTPPacket: Sendable, Hashable {
    /// The length of a packet without a reference, extensions and content.
    public static let shortest = 18
    /// The longest packet, for Ethernet and IPv6.
    public static let longest = 1452
    static let delayExtension: UInt16 = 1

    public var payloadType: UInt8
    public var sequenceNumber: UInt16
    /// The time of the frame, in the units of its stream.
    public var timestamp: UInt32
    /// The sender's number of the stream.
    public var source: UInt32
    public var isKey = true
    /// The last eight bits of the frame's number.
    public var frame: UInt8
    /// The number of the packet in its frame, from 0, and that of the last.
    public var packet: UInt16
    public var lastPacket: UInt16
    /// The last eight bits of the number of the frame on which this one is based; `nil` if not told.
    public var reference: UInt8?
    /// A new delay until playback, in milliseconds.
    public var playoutDelay: UInt16?
    public var payload: [UInt8]

    public var encoded: [UInt8] {
        var bytes: [UInt8] = [0x80, payloadType & 0x7F | (packet == lastPacket ? 0x80 : 0)]
        bytes.reserveCapacity(payload.count + Self.shortest + 5)
        bytes.append(bigEndian: sequenceNumber)
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: source)
        bytes.append((isKey ? 0x80 : 0) | (reference == nil ? 0 : 0x40) | (playoutDelay == nil ? 0 : 1))
        bytes.append(frame)
        bytes.append(bigEndian: packet)
        bytes.append(bigEndian: lastPacket)
        if let reference { bytes.append(reference) }
        if let playoutDelay {
            bytes.append(bigEndian: Self.delayExtension << 10 | 2)
            bytes.append(bigEndian: playoutDelay)
        }
        return bytes + payload
    }
}

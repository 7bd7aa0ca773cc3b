/// An RTP packet of audio.
///
/// Source: RFC 3550 §5.1; payload type 96, the marker on the first packet of a run.
package struct AudioPacket: Sendable, Hashable {
    package static let headerSize = 12

    package var sequenceNumber: UInt16
    /// Frames; wraps around.
    package var timestamp: UInt32
    package var source: UInt32
    package var isFirst: Bool
    package var payload: [UInt8]

    package init(sequenceNumber: UInt16, timestamp: UInt32, source: UInt32, isFirst: Bool, payload: [UInt8]) {
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.source = source
        self.isFirst = isFirst
        self.payload = payload
    }

    /// Returns an encoded packet marked as the first.
    static func first(_ encoded: [UInt8]) -> [UInt8] {
        var marked = encoded
        marked[1] |= 0x80
        return marked
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + payload.count)
        bytes += [0x80, isFirst ? 0xE0 : 0x60]
        bytes += PacketBytes.bytes(sequenceNumber)
        bytes += PacketBytes.bytes(timestamp)
        bytes += PacketBytes.bytes(source)
        bytes += payload
        return bytes
    }
}

extension RTPPacket {
    /// Reads a datagram.
    public init(_ bytes: [UInt8]) throws(StreamingError) {
        var reader = ByteReader(bytes[...])
        guard try reader.number(UInt8.self) == 0x80 else { throw .malformed }
        let payloadType = try reader.number(UInt8.self) & 0x7F
        let (sequenceNumber, timestamp) = (try reader.number(UInt16.self), try reader.number(UInt32.self))
        let source = try reader.number(UInt32.self)
        let flags = try reader.number(UInt8.self)
        let frame = try reader.number(UInt8.self)
        let (packet, lastPacket) = (try reader.number(UInt16.self), try reader.number(UInt16.self))
        // RTCP has the types 72 to 76 in this place.
        guard 96...127 ~= payloadType, packet <= lastPacket, lastPacket != .max else { throw .malformed }
        let reference = flags & 0x40 != 0 ? try reader.number(UInt8.self) : nil
        var playoutDelay: UInt16?
        for _ in 0..<flags & 0x3F {
            let kind = try reader.number(UInt16.self)
            var content = ByteReader(try reader.take(Int(kind & 0x3FF)))
            guard kind >> 10 == Self.delayExtension else { continue }
            guard content.count == 2 else { throw .malformed }
            playoutDelay = try content.number(UInt16.self)
        }
        self.init(
            payloadType: payloadType, sequenceNumber: sequenceNumber, timestamp: timestamp, source: source,
            frame: frame, packet: packet, lastPacket: lastPacket, payload: Array(reader.rest))
        isKey = flags & 0x80 != 0
        self.reference = reference
        self.playoutDelay = playoutDelay
    }
}

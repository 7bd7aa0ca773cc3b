/// Numbers in network order.
enum PacketBytes {
    static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Returns a number in a packet; `nil` if the packet is too short.
    static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type, in packet: [UInt8], at offset: Int
    ) -> Number? {
        let end = offset + Number.bitWidth / 8
        guard offset >= 0, end <= packet.count else { return nil }
        return packet[offset..<end].reduce(0) { $0 << 8 | Number($1) }
    }
}

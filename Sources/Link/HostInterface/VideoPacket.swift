/// The header of a packet of live video: 32 bytes, little-endian, followed by a part of an H.264 access unit.
///
/// A packet socket takes packets of limited length, so an access unit is sent in parts, in order.
package struct VideoPacket: Sendable, Hashable {
    package static let headerLength = 32
    /// The most bytes in a packet, with its header.
    package static let maximumLength = 1 << 16
    /// The most bytes in an access unit: more than one of the highest bit rate and size needs.
    package static let maximumUnitLength = 8 << 20

    /// The time at which the picture was captured, in nanoseconds of `CLOCK_MONOTONIC`.
    package var time: UInt64
    /// The number of access units before it. Pictures that weren't encoded aren't counted.
    package var number: UInt64
    /// The number of bytes of the access unit in earlier packets.
    package var offset: UInt32
    /// The number of bytes of the whole access unit.
    package var length: UInt32
    /// A Boolean value that indicates whether it can be decoded without earlier ones.
    package var isKey: Bool

    package init(time: UInt64, number: UInt64, offset: UInt32, length: UInt32, isKey: Bool) {
        self.time = time
        self.number = number
        self.offset = offset
        self.length = length
        self.isKey = isKey
    }

    /// Reads a header.
    ///
    /// - Returns: `nil` if there are too few bytes, or the access unit is longer than ``maximumUnitLength``.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerLength else { return nil }
        time = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        number = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        offset = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
        length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        isKey = bytes[24] & 1 != 0
        guard length <= Self.maximumUnitLength else { return nil }
    }

    /// Writes the header to the beginning of a buffer of at least ``headerLength`` bytes.
    package func write(to bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: time.littleEndian, as: UInt64.self)
        bytes.storeBytes(of: number.littleEndian, toByteOffset: 8, as: UInt64.self)
        bytes.storeBytes(of: offset.littleEndian, toByteOffset: 16, as: UInt32.self)
        bytes.storeBytes(of: length.littleEndian, toByteOffset: 20, as: UInt32.self)
        bytes.storeBytes(of: UInt64(isKey ? 1 : 0).littleEndian, toByteOffset: 24, as: UInt64.self)
    }

    /// Returns the packets of an access unit, in order.
    package static func packets(
        of unit: UnsafeRawBufferPointer, time: UInt64, number: UInt64, isKey: Bool
    ) -> [[UInt8]] {
        let most = maximumLength - headerLength
        return stride(from: 0, to: unit.count, by: most).map { offset in
            let part = unit[offset..<min(offset + most, unit.count)]
            return [UInt8](unsafeUninitializedCapacity: headerLength + part.count) { buffer, count in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                VideoPacket(
                    time: time, number: number, offset: UInt32(offset), length: UInt32(unit.count), isKey: isKey
                ).write(to: bytes)
                UnsafeMutableRawBufferPointer(rebasing: bytes[headerLength...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
                count = headerLength + part.count
            }
        }
    }
}

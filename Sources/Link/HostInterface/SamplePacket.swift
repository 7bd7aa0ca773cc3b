/// The header of a packet of live samples: 16 bytes, little-endian, followed by whole frames.
package struct SamplePacket: Sendable, Hashable {
    package static let headerLength = 16
    /// The most bytes in a packet, with its header.
    package static let maximumLength = 1 << 16

    /// The number of frames before the packet, counted from the beginning of the playback. Frames that nobody could take
    /// are counted too.
    package var frame: UInt64
    /// The time at which the source played the first frame, in nanoseconds of `CLOCK_MONOTONIC`.
    package var time: UInt64

    package init(frame: UInt64, time: UInt64) {
        self.frame = frame
        self.time = time
    }

    /// Reads a header.
    ///
    /// - Returns: `nil` if there are too few bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerLength else { return nil }
        frame = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Writes the header to the beginning of a buffer of at least ``headerLength`` bytes.
    package func write(to bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: frame.littleEndian, as: UInt64.self)
        bytes.storeBytes(of: time.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Returns the packet with this header and whole frames.
    package func packet(of frames: some Collection<UInt8>) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: Self.headerLength)
        packet.withUnsafeMutableBytes { write(to: $0) }
        return packet + frames
    }

    /// Returns the packet with this header and frames of 16 bits.
    package func packet(of samples: ArraySlice<Int16>) -> [UInt8] {
        let length = Self.headerLength + samples.count * 2
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            write(to: bytes)
            for (index, sample) in samples.enumerated() {
                bytes.storeBytes(of: sample.littleEndian, toByteOffset: Self.headerLength + index * 2, as: Int16.self)
            }
            count = length
        }
    }
}

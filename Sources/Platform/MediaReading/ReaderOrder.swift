/// A packet from an extension to a reader: 13 bytes, a kind and two numbers, little-endian.
package enum ReaderOrder: Sendable, Hashable {
    /// Open the media, and send its samples at a rate in Hz. The first packet.
    case open(rate: UInt32)
    /// Continue at a frame. The samples from there on have the number `generation`.
    case seek(frame: Int64, generation: UInt32)

    package static let length = 13
    /// The rates that can be asked for, in Hz.
    package static let rates: ClosedRange<UInt32> = 8000...192_000

    /// Reads a packet.
    ///
    /// - Returns: `nil` if it is none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        let number = UInt32(littleEndianBytes: bytes[1..<5])
        let frame = Int64(bitPattern: UInt64(littleEndianBytes: bytes[5..<13]))
        switch bytes[0] {
        case 0 where Self.rates.contains(number) && frame == 0: self = .open(rate: number)
        case 1 where frame >= 0: self = .seek(frame: frame, generation: number)
        default: return nil
        }
    }

    package var bytes: [UInt8] {
        let (kind, number, frame): (UInt8, UInt32, Int64) =
            switch self {
            case .open(let rate): (0, rate, 0)
            case .seek(let frame, let generation): (1, generation, frame)
            }
        return [kind] + number.littleEndianBytes + UInt64(bitPattern: frame).littleEndianBytes
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    init(littleEndianBytes bytes: some Collection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
    }

    var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}

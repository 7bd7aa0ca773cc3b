/// A receiver's word on which frames it has, and which packets it misses.
public struct StreamFeedback: Sendable, Hashable {
    /// Packets of a frame that are missing.
    public struct Loss: Sendable, Hashable {
        /// Every packet of the frame.
        public static let all: UInt16 = 0xFFFF

        /// The last eight bits of the frame's number, which is after the checkpoint.
        public var frame: UInt8
        /// The first missing packet, or ``all``.
        public var packet: UInt16
        /// Further missing ones of the next eight, the lowest bit for the next one.
        public var following: UInt8 = 0

        /// The numbers of the missing packets; empty for all.
        public var packets: [UInt16] {
            guard packet != Self.all else { return [] }
            return [packet] + (0..<8).filter { following & 1 << $0 != 0 }.map { packet &+ 1 &+ UInt16($0) }
        }
    }

    static let name: UInt32 = 0x4341_5354  // CAST
    static let secondName: UInt32 = 0x4353_5432  // CST2

    public var receiver: UInt32
    public var source: UInt32
    /// The last eight bits of the number of a frame: all up to it are complete.
    public var checkpoint: UInt8
    /// At most 255.
    public var losses: [Loss] = []
    /// The delay until playback, in milliseconds.
    public var delay: UInt16
    /// Complete frames, as the distance of their number from the checkpoint: 2 or more.
    public var complete: [Int] = []
    /// The number of feedbacks before this one.
    public var count: UInt8 = 0
}

extension StreamFeedback {
    init(_ content: inout ByteReader) throws(StreamingError) {
        let (receiver, source) = (try content.number(UInt32.self), try content.number(UInt32.self))
        guard try content.number(UInt32.self) == Self.name else { throw .malformed }
        let (checkpoint, number) = (try content.number(UInt8.self), try content.number(UInt8.self))
        self.init(receiver: receiver, source: source, checkpoint: checkpoint, delay: try content.number())
        for _ in 0..<number {
            losses.append(
                Loss(frame: try content.number(), packet: try content.number(), following: try content.number()))
        }
        // Receivers may append something else.
        guard content.count >= 6, try content.number(UInt32.self) == Self.secondName else { return }
        count = try content.number()
        let bits = try content.take(Int(try content.number(UInt8.self)))
        for (index, byte) in bits.enumerated() {
            for bit in 0..<8 where byte & 1 << bit != 0 { complete.append(index * 8 + bit + 2) }
        }
    }
}

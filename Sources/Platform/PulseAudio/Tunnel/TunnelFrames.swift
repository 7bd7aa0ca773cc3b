/// The frames of PulseAudio's native protocol: commands, and the samples of a stream. A value without I/O.
///
/// Source: PulseAudio 16.1, `pulsecore/pstream.c`.
struct TunnelFrames {
    enum Frame: Hashable {
        case command(ArraySlice<UInt8>)
        case samples(ArraySlice<UInt8>)
    }

    private static let headLength = 20
    private static let commandChannel = UInt32.max
    private static let longestCommand = 1 << 16
    /// PulseAudio's own limit for one block is 64 KiB.
    private static let longestBlock = 1 << 18

    private var waiting: [UInt8] = []

    /// Takes what was read.
    ///
    /// - Returns: The frames that are complete.
    /// - Throws: ``TunnelFailure`` if one is too long, or in shared memory.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TunnelFailure) -> [Frame] {
        waiting += bytes
        var frames: [Frame] = []
        var begin = 0
        while waiting.count - begin >= Self.headLength {
            func word(_ index: Int) -> UInt32 {
                waiting[(begin + 4 * index)..<(begin + 4 * index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
            }
            let (length, channel, flags) = (Int(word(0)), word(1), word(4))
            guard flags & 0xFF00_0000 == 0 else { throw TunnelFailure("a block is in shared memory") }
            let isCommand = channel == Self.commandChannel
            guard 1...(isCommand ? Self.longestCommand : Self.longestBlock) ~= length else {
                throw TunnelFailure("a frame has \(length) bytes")
            }
            let content = begin + Self.headLength
            guard waiting.count - content >= length else { break }
            let body = waiting[content..<(content + length)]
            frames.append(isCommand ? .command(body) : .samples(body))
            begin = content + length
        }
        waiting.removeFirst(begin)
        return frames
    }

    /// Returns the frame of a command.
    static func frame(_ command: TunnelWriter) -> [UInt8] {
        var head: [UInt8] = []
        for word in [UInt32(command.bytes.count), commandChannel, 0, 0, 0] {
            withUnsafeBytes(of: word.bigEndian) { head += Array($0) }
        }
        return head + command.bytes
    }
}

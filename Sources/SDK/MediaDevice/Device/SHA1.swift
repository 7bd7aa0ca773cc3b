/// SHA-1 for version-5 identifiers only. It protects nothing.
///
/// Source: FIPS 180-4 §6.1.
enum SHA1 {
    /// Returns the digest of a short message, 20 bytes.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        let padded = pad(message)
        for block in stride(from: 0, to: padded.count, by: 64) {
            mix(schedule(padded[block..<block + 64]), into: &state)
        }
        return state.flatMap(bigEndianBytes)
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
        return padded + bigEndianBytes(UInt64(message.count) * 8)
    }

    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(80)
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<80 {
            words.append(
                rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        return words
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (choice, constant): (UInt32, UInt32) =
                switch round {
                case 0..<20: (b & c | ~b & d, 0x5a82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case 40..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotate(a, by: 5) &+ choice &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }

    private static func bigEndianBytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
}

/// Changes inputs at random, the same way for the same seed.
struct FuzzMutator {
    private var random: SplitMix64
    private let corpus: [[UInt8]]
    private let words: [[UInt8]]

    init(seed: UInt64, corpus: [[UInt8]], words: [String]) {
        random = SplitMix64(state: seed)
        self.corpus = corpus
        self.words = words.map { Array($0.utf8) } + Self.numbers
    }

    private static let numbers: [[UInt8]] =
        [
            "-1", "0", "4294967296", "99999999999999999999", "1e999", "nan", "\0", "\u{FFFD}", "\u{1B}[2J",
        ].map { Array($0.utf8) } + [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F], [0x80], [0xC0, 0x80]]

    mutating func next() -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        // Mostly one change or two: of more, the first that is refused hides the rest.
        repeat { mutate(&bytes) } while Bool.random(using: &random)
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let count = Int.random(in: 0...min(64, bytes.count - index), using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where index < bytes.count: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
        case 3: bytes.removeSubrange(index..<index + count)
        case 4: bytes.insert(contentsOf: bytes[index..<index + count], at: index)
        case 5: bytes.insert(contentsOf: bytes.prefix(index).suffix(300), at: index)
        case 6: bytes.removeSubrange(index...)
        case 7:
            let other = corpus.randomElement(using: &random) ?? []
            bytes.replaceSubrange(index..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
        default: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: index)
        }
    }
}

/// A small generator with a given beginning, so that a failure can be run again.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

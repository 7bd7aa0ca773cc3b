/// The bytes of a QR code: its data in blocks, each with its Reed–Solomon code.
enum QRCodewords {
    /// By version from 1, for error correction M: codewords of data, blocks, and codewords of correction in each block.
    private static let versions: [(data: Int, blocks: Int, correction: Int)] = [
        (16, 1, 10), (28, 1, 16), (44, 1, 26), (64, 2, 18), (86, 2, 24), (108, 4, 16), (124, 4, 18), (154, 4, 22),
        (182, 5, 22), (216, 5, 26),
    ]

    /// - Returns: The smallest version that holds the bytes, and the codewords in their order; `nil` if none does.
    static func make(_ bytes: [UInt8]) -> (version: Int, codewords: [UInt8])? {
        // The mode takes four bits, the count eight, or sixteen from version 10.
        let needed = { (version: Int) in bytes.count + (version < 10 ? 2 : 3) }
        guard let version = (1...versions.count).first(where: { needed($0) <= versions[$0 - 1].data }) else {
            return nil
        }
        let form = versions[version - 1]
        let data = padded(bytes, countBits: version < 10 ? 8 : 16, to: form.data)
        return (version, interleaved(data, blocks: form.blocks, correction: form.correction))
    }

    private static func padded(_ bytes: [UInt8], countBits: Int, to length: Int) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for index in (0..<count).reversed() { bits.append(value >> index & 1 != 0) }
        }
        // Bytes as they are.
        append(0b0100, 4)
        append(bytes.count, countBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, 4)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < bits.count && bits[start + $1] ? 1 : 0) }
        }
        for index in 0..<max(0, length - data.count) { data.append(index % 2 == 0 ? 0xec : 0x11) }
        return data
    }

    private static func interleaved(_ data: [UInt8], blocks count: Int, correction: Int) -> [UInt8] {
        let short = data.count / count
        let firstLong = count - data.count % count
        let generator = generator(correction)
        var start = 0
        let blocks = (0..<count).map { index in
            let length = short + (index >= firstLong ? 1 : 0)
            defer { start += length }
            return Array(data[start..<start + length])
        }
        let corrections = blocks.map { remainder($0, generator) }
        let column = { (blocks: [[UInt8]], row: Int) in blocks.compactMap { row < $0.count ? $0[row] : nil } }
        return (0...short).flatMap { column(blocks, $0) } + (0..<correction).flatMap { column(corrections, $0) }
    }

    // MARK: The field of 256 elements

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = (product << 1) ^ ((product >> 7) * 0x11d)
            product ^= Int(other >> bit & 1) * Int(one)
        }
        return UInt8(product)
    }

    /// The polynomial whose roots are the first powers of 2, from the highest power; its first coefficient is 1 and left out.
    private static func generator(_ degree: Int) -> [UInt8] {
        var generator = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                generator[index] = product(generator[index], root)
                if index + 1 < degree { generator[index] ^= generator[index + 1] }
            }
            root = product(root, 2)
        }
        return generator
    }

    private static func remainder(_ data: [UInt8], _ generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in generator.indices { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }
}

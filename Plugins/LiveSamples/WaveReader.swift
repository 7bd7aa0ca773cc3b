/// Reads a WAVE stream of any length in pieces: integers of 8 to 32 bits or 32-bit floats become 16-bit stereo.
public struct WaveReader: Sendable {
    /// A header is never longer.
    private static let longestHeader = 4096

    private struct Format: Hashable {
        let rate: Int
        let channels: Int
        let isFloat: Bool
        /// The size of a sample in bytes.
        let size: Int
        var frame: Int { channels * size }
    }

    private var format: Format?
    private var buffer: [UInt8] = []
    private var resampler: Resampler?
    private let rate: Int

    /// - Parameter rate: The samples per second to return.
    public init(rate: Int) { self.rate = rate }

    /// Appends bytes.
    ///
    /// - Returns: The samples that are complete now at ``AudioFormat/rate``, left and right in turn.
    /// - Throws: ``WaveError`` for anything but sound of these kinds.
    public mutating func append(_ bytes: [UInt8]) throws(WaveError) -> [Int16] {
        buffer += bytes
        if format == nil {
            guard try readHeader() else { return [] }
        }
        guard let format else { return [] }
        let count = buffer.count / format.frame
        let samples = [Int16](unsafeUninitializedCapacity: count * 2) { samples, used in
            for index in 0..<count {
                let left = index * format.frame
                let right = format.channels > 1 ? left + format.size : left
                samples[index * 2] = sample(at: left, format)
                samples[index * 2 + 1] = sample(at: right, format)
            }
            used = count * 2
        }
        buffer.removeFirst(count * format.frame)
        return resampler?.convert(samples) ?? samples
    }

    private func sample(at index: Int, _ format: Format) -> Int16 {
        guard format.isFloat else {
            guard format.size > 1 else { return (Int16(buffer[index]) - 128) << 8 }
            let end = index + format.size
            return Int16(bitPattern: UInt16(buffer[end - 2]) | UInt16(buffer[end - 1]) << 8)
        }
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(buffer[index + $1]) << UInt32(8 * $1) }
        let value = Float(bitPattern: bits)
        return value.isFinite ? Int16(max(-32_768, min(32_767, (value * 32_768).rounded()))) : 0
    }

    /// - Returns: `false` if it isn't complete yet.
    private mutating func readHeader() throws(WaveError) -> Bool {
        func number(_ start: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(buffer[start + $1]) << (8 * $1) }
        }
        guard buffer.count >= 12 else { return false }
        guard buffer.starts(with: Array("RIFF".utf8)), buffer[8..<12].elementsEqual("WAVE".utf8) else {
            throw .malformed
        }
        var place = 12
        var found: Format?
        while buffer.count >= place + 8 {
            let length = number(place + 4, 4)
            let kind = buffer[place..<place + 4]
            place += 8
            if kind.elementsEqual("data".utf8) {
                guard let found else { throw .malformed }
                format = found
                if found.rate != rate { resampler = try Resampler(from: found.rate, to: rate) }
                buffer.removeFirst(place)
                return true
            }
            guard place + length <= Self.longestHeader else { throw .malformed }
            guard buffer.count >= place + length else { return false }
            if kind.elementsEqual("fmt ".utf8) {
                guard length >= 16 else { throw .malformed }
                let (code, bits) = (number(place, 2), number(place + 14, 2))
                let new = Format(
                    rate: number(place + 4, 4), channels: number(place + 2, 2), isFloat: code == 3, size: bits / 8)
                guard (code == 1 && [8, 16, 24, 32].contains(bits)) || (code == 3 && bits == 32),
                    1...8 ~= new.channels, 1000...768_000 ~= new.rate
                else { throw .malformed }
                found = new
            }
            place += length + length % 2
        }
        guard buffer.count <= Self.longestHeader else { throw .malformed }
        return false
    }
}

/// The reason why a stream can't be read.
public enum WaveError: Error, Sendable, Hashable {
    /// It isn't WAVE, or has samples of another kind.
    case malformed
    /// The rate has too little in common with the one to return.
    case rate(Int)
}

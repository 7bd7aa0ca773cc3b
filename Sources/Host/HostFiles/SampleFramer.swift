import HostInterface

/// Samples without a header on their way to a device: whole frames in the format that the device plays.
struct SampleFramer: Sendable {
    /// The header of every answer, also of one that begins in the middle.
    let header: [UInt8]
    let contentType: String
    private let frame: Int
    /// The size of the samples whose bytes change places; 1 for none.
    private let swapped: Int
    private var rest: [UInt8] = []

    /// Creates a framer. Only signed samples of 16 and 24 bits have a bare format; others become a WAVE file.
    init(_ samples: SampleFormat, as format: DeviceDescription.LiveFormat) {
        frame = samples.bytesPerFrame
        switch (format, samples.encoding) {
        case (.linear, .signed16), (.linear, .signed24):
            header = []
            contentType =
                "audio/L\(samples.encoding.bytes * 8);rate=\(samples.rate);channels=\(samples.channels)"
            swapped = samples.encoding.bytes
        default:
            header = WaveHeader.bytes(of: samples)
            contentType = "audio/wav"
            swapped = 1
        }
    }

    /// Returns the whole frames so far, and keeps the beginning of the next one.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        rest += bytes
        let length = rest.count / frame * frame
        defer { rest.removeFirst(length) }
        guard swapped > 1 else { return Array(rest[..<length]) }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, used in
            for start in stride(from: 0, to: length, by: swapped) {
                for place in 0..<swapped { buffer[start + place] = rest[start + swapped - 1 - place] }
            }
            used = length
        }
    }
}

import CFFmpeg
import MediaReading

/// Turns decoded frames of any kind into interleaved stereo of 16 bit.
struct SampleConverter: ~Copyable {
    /// The format of the source's frames.
    private struct Source: Hashable {
        let format: Int32
        let rate: Int32
        let channels: Int32
    }

    private let rate: Int
    private var source: Source?
    private var context: OpaquePointer?

    init(rate: Int) { self.rate = rate }

    deinit {
        var context = context
        swr_free(&context)
    }

    mutating func convert(_ frame: UnsafeMutablePointer<AVFrame>) throws(DecodingError) -> [Int16] {
        let count = Int(frame.pointee.nb_samples)
        let kind = Source(
            format: frame.pointee.format, rate: frame.pointee.sample_rate, channels: frame.pointee.ch_layout.nb_channels
        )
        if kind == Source(format: AV_SAMPLE_FMT_S16.rawValue, rate: Int32(rate), channels: 2) {
            guard let bytes = frame.pointee.extended_data[0] else { return [] }
            return bytes.withMemoryRebound(to: Int16.self, capacity: count * 2) {
                Array(UnsafeBufferPointer(start: $0, count: count * 2))
            }
        }
        // A radio may change its kind between two songs.
        if kind != source {
            swr_free(&context)
            let result = mdhost_swr_stereo(&context, frame, Int32(rate))
            guard result >= 0 else { throw DecodingError(code: result, opening: true) }
            source = kind
        }
        let data = UnsafeMutableRawPointer(frame.pointee.extended_data)?
            .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        return converted(data, count: count)
    }

    /// Returns the samples that the resampler still holds.
    mutating func finish() -> [Int16] { context == nil ? [] : converted(nil, count: 0) }

    private func converted(_ data: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) -> [Int16] {
        let room = Int(swr_get_out_samples(context, Int32(count)))
        guard room > 0 else { return [] }
        return [Int16](unsafeUninitializedCapacity: room * 2) { samples, used in
            used = 0
            samples.withMemoryRebound(to: UInt8.self) { bytes in
                var output: UnsafeMutablePointer<UInt8>? = bytes.baseAddress
                let frames = swr_convert(context, &output, Int32(room), data, Int32(count))
                used = max(0, Int(frames)) * 2
            }
        }
    }
}

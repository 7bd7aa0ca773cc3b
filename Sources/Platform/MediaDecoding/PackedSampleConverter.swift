import CFFmpeg

/// Turns interleaved samples of 16 bit with any rate and channels into stereo of another rate.
package struct PackedSampleConverter: ~Copyable {
    private let sourceRate: Int
    private let channels: Int
    private let isUnchanged: Bool
    private var converter: SampleConverter

    /// - Parameters:
    ///   - sourceRate: The rate of the samples, in Hz.
    ///   - channels: Their channels.
    ///   - rate: The wanted rate, in Hz.
    package init(sourceRate: Int, channels: Int, rate: Int) {
        self.sourceRate = sourceRate
        self.channels = channels
        isUnchanged = sourceRate == rate && channels == 2
        converter = SampleConverter(rate: rate)
    }

    /// Converts whole frames.
    ///
    /// - Throws: ``DecodingError`` `unsupported` if FFmpeg can't convert them.
    package mutating func convert(_ samples: [Int16]) throws(DecodingError) -> [Int16] {
        guard !isUnchanged, !samples.isEmpty else { return samples }
        var frame = av_frame_alloc()
        guard let described = frame else { throw .unsupported("out of memory") }
        defer { av_frame_free(&frame) }
        described.pointee.format = AV_SAMPLE_FMT_S16.rawValue
        described.pointee.sample_rate = Int32(sourceRate)
        described.pointee.ch_layout.order = AV_CHANNEL_ORDER_UNSPEC
        described.pointee.ch_layout.nb_channels = Int32(channels)
        described.pointee.nb_samples = Int32(samples.count / channels)
        var samples = samples
        let result: Result<[Int16], DecodingError> = samples.withUnsafeMutableBytes { bytes in
            described.pointee.data.0 = bytes.bindMemory(to: UInt8.self).baseAddress
            defer { described.pointee.data.0 = nil }
            do throws(DecodingError) {
                return .success(try converter.convert(described))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Returns the samples that the resampler still holds.
    package mutating func finish() -> [Int16] { isUnchanged ? [] : converter.finish() }
}

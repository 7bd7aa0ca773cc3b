import Foundation

/// The conversion of interleaved frames to another encoding and sample rate, and to one or two channels.
package struct SampleConversion: Sendable {
    package let source: MediaSampleFormat
    package let target: MediaSampleFormat
    private let mix: ChannelMix?
    private var resampler: Resampler?

    /// - Returns: `nil` if the rates have too little in common, or the channels can't be converted.
    package init?(from source: MediaSampleFormat, to target: MediaSampleFormat) {
        self.source = source
        self.target = target
        mix =
            source.channelCount == target.channelCount
            ? nil : ChannelMix(from: source.channelCount, to: target.channelCount)
        if mix == nil, source.channelCount != target.channelCount { return nil }
        guard source.sampleRate != target.sampleRate else { return }
        resampler = Resampler(from: source.sampleRate, to: target.sampleRate, channels: target.channelCount)
        if resampler == nil { return nil }
    }

    /// The frames of the source for each frame of the result.
    package var ratio: Double { resampler.map { Double($0.down) / Double($0.up) } ?? 1 }

    /// Converts whole frames. The rest of an incomplete frame is dropped. At another rate, the last ones follow with the
    /// next call: frame n of all results lies at frame n · ``ratio`` of the source.
    package mutating func convert(_ frames: Data) -> Data {
        let frames = frames.prefix(frames.count / source.bytesPerFrame * source.bytesPerFrame)
        guard source != target else { return Data(frames) }
        let samples = source.encoding.decode(frames)
        let mixed = mix?.mix(samples) ?? samples
        return target.encoding.encode(resampler?.convert(mixed) ?? mixed)
    }

    /// Returns the last frames, after which there are no more.
    package mutating func finish() -> Data { target.encoding.encode(resampler?.finish() ?? []) }

    /// Forgets the frames so far.
    package mutating func reset() { resampler?.reset() }
}

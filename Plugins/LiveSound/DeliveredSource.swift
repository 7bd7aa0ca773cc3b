import Foundation
import LiveSamples
import MediaDevice
import MediaReading

extension MediaSampleReader {
    /// Creates the reader for a ``DeliveredSource``.
    ///
    /// - Throws: ``MediaDeviceError`` if no samples are delivered in the session.
    @MainActor
    package static func forLiveSound(in session: MediaOutputSession) throws(MediaDeviceError) -> MediaSampleReader {
        try MediaSampleReader(session: session, encoding: .signed16)
    }
}

/// Samples that the host delivers.
package actor DeliveredSource: SampleSource {
    package nonisolated let facts = MediaFacts(isSeekable: false)

    private let reader: MediaSampleReader
    private let rate: Int
    private let mix: StereoMix
    private var resampler: Resampler?
    private var pending = PendingSamples()

    /// - Parameters:
    ///   - reader: One that ``MediaSampleReader/forLiveSound(in:)`` created.
    ///   - rate: The wanted sample rate, in Hz.
    package init(_ reader: MediaSampleReader, rate: Int) {
        self.reader = reader
        self.rate = rate
        mix = StereoMix(channels: reader.format.channelCount)
    }

    package func frames(_ count: Int) async throws(DecodingError) -> SampleBatch {
        if resampler == nil, reader.format.sampleRate != rate { resampler = try makeResampler() }
        while !pending.suffice(for: count) {
            var blocks = reader.makeAsyncIterator()
            if let block = await blocks.next() {
                let samples = mix.mix(Self.samples(block.samples))
                pending.append(resampler?.convert(samples) ?? samples)
            } else {
                pending.append(resampler?.finish() ?? [])
                pending.end()
            }
        }
        return pending.take(count)
    }

    package func seek(toFrame frame: Int64) {}

    private func makeResampler() throws(DecodingError) -> Resampler {
        do throws(WaveError) {
            return try Resampler(from: reader.format.sampleRate, to: rate)
        } catch {
            throw .unsupported("\(reader.format.sampleRate) samples a second can't be converted to \(rate)")
        }
    }

    private static func samples(_ bytes: Data) -> [Int16] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }
}

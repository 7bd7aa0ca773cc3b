import Foundation
import LiveSamples
package import MediaDevice
package import MediaReading

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

    private let format: MediaSampleFormat
    private let next: @Sendable () async -> MediaSampleBlock?
    private let rate: Int
    private var converter: StereoConverter?
    private var pending = PendingSamples()

    /// The position of the first frame in the playback, in seconds; `nil` before it came.
    package private(set) var start: Double?

    /// - Parameter reader: One that ``MediaSampleReader/forLiveSound(in:)`` created.
    package init(_ reader: MediaSampleReader, rate: Int) { self.init(reader, reader.format, rate: rate) }

    /// - Parameters:
    ///   - blocks: Blocks of signed 16-bit samples.
    ///   - format: Their format.
    ///   - rate: The wanted sample rate, in Hz.
    package init<Blocks: AsyncSequence<MediaSampleBlock, Never> & Sendable>(
        _ blocks: Blocks, _ format: MediaSampleFormat, rate: Int
    ) {
        self.format = format
        self.rate = rate
        next = {
            var iterator = blocks.makeAsyncIterator()
            return await iterator.next(isolation: nil)
        }
    }

    package func frames(_ count: Int) async throws(DecodingError) -> SampleBatch {
        while !pending.suffice(for: count) {
            let block = try await nextFrames()
            pending.append(block.samples)
            if block.isLast { pending.end() }
        }
        return pending.take(count)
    }

    /// Returns the frames of the next block. It isn't for use together with ``frames(_:)``.
    package func nextFrames() async throws(DecodingError) -> SampleBatch {
        if converter == nil { converter = try makeConverter() }
        guard let block = await next() else { return SampleBatch(samples: converter?.finish() ?? [], isLast: true) }
        if start == nil { start = block.presentationTime.seconds }
        return SampleBatch(samples: converter?.convert(block.samples) ?? [], isLast: false)
    }

    package func seek(toFrame frame: Int64) {}

    private func makeConverter() throws(DecodingError) -> StereoConverter {
        do throws(ConversionError) {
            return try StereoConverter(channels: format.channelCount, from: format.sampleRate, to: rate)
        } catch {
            throw .unsupported("\(format.sampleRate) samples a second can't be converted to \(rate)")
        }
    }
}

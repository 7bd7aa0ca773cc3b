import Foundation
import MediaDecoding
import MediaDevice

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
    private var converter: PackedSampleConverter
    private var pending: [Int16] = []
    private var isOver = false

    /// - Parameters:
    ///   - reader: One that ``MediaSampleReader/forLiveSound(in:)`` created.
    ///   - rate: The wanted sample rate, in Hz.
    package init(_ reader: MediaSampleReader, rate: Int) {
        self.reader = reader
        converter = PackedSampleConverter(
            sourceRate: reader.format.sampleRate, channels: reader.format.channelCount, rate: rate)
    }

    package func frames(_ count: Int) async throws(DecodingError) -> SampleBatch {
        while pending.count < count * 2, !isOver {
            var blocks = reader.makeAsyncIterator()
            if let block = await blocks.next() {
                pending += try converter.convert(Self.samples(block.samples))
            } else {
                isOver = true
                pending += converter.finish()
            }
        }
        let samples = Array(pending.prefix(count * 2))
        pending.removeFirst(samples.count)
        return SampleBatch(samples: samples, isLast: isOver && pending.isEmpty)
    }

    package func seek(toFrame frame: Int64) {}

    private static func samples(_ bytes: Data) -> [Int16] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }
}

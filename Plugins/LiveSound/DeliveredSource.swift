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
    private var pending = PendingSamples()

    /// - Parameters:
    ///   - reader: One that ``MediaSampleReader/forLiveSound(in:)`` created.
    ///   - rate: The wanted sample rate, in Hz.
    package init(_ reader: MediaSampleReader, rate: Int) {
        self.reader = reader
        converter = PackedSampleConverter(
            sourceRate: reader.format.sampleRate, channels: reader.format.channelCount, rate: rate)
    }

    package func frames(_ count: Int) async throws(DecodingError) -> SampleBatch {
        while !pending.suffice(for: count) {
            var blocks = reader.makeAsyncIterator()
            if let block = await blocks.next() {
                pending.append(try converter.convert(Self.samples(block.samples)))
            } else {
                pending.append(converter.finish())
                pending.end()
            }
        }
        return pending.take(count)
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

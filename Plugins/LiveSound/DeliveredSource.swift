import Foundation
package import MediaDevice
package import MediaReading

/// Samples that the host delivers.
package actor DeliveredSource: SampleSource {
    package nonisolated let facts = MediaFacts(isSeekable: false)

    private let next: @Sendable () async -> MediaSampleBlock?
    private var pending = PendingSamples()

    /// The position of the first frame in the playback, in seconds; `nil` before it came.
    package private(set) var start: Double?

    /// - Parameter blocks: Blocks of signed 16-bit samples, in stereo.
    package init<Blocks: AsyncSequence<MediaSampleBlock, Never> & Sendable>(_ blocks: Blocks) {
        next = {
            var iterator = blocks.makeAsyncIterator()
            return await iterator.next(isolation: nil)
        }
    }

    package func frames(_ count: Int) async -> SampleBatch {
        while !pending.suffice(for: count) {
            let block = await nextFrames()
            pending.append(block.samples)
            if block.isLast { pending.end() }
        }
        return pending.take(count)
    }

    /// Returns the frames of the next block. It isn't for use together with ``frames(_:)``.
    package func nextFrames() async -> SampleBatch {
        guard let block = await next() else { return SampleBatch(samples: [], isLast: true) }
        if start == nil { start = block.presentationTime.seconds }
        return SampleBatch(samples: block.signed16, isLast: false)
    }

    package func seek(toFrame frame: Int64) {}
}

package import MediaReading

/// Samples for a device: left and right in turn, 16 bit.
package protocol SampleSource: Actor {
    nonisolated var facts: MediaFacts { get }

    /// Returns the next frames, fewer than `count` only at the end.
    func frames(_ count: Int) async throws(DecodingError) -> SampleBatch

    /// Continues at a frame, if ``facts`` say that the source supports it.
    func seek(toFrame frame: Int64) async throws(DecodingError)
}

/// Samples that a source has read, and not given yet.
struct PendingSamples: Sendable {
    private var samples: [Int16] = []
    private var isOver = false

    /// A Boolean value that indicates whether so many frames are there, or no more will come.
    func suffice(for count: Int) -> Bool { isOver || samples.count >= count * 2 }

    mutating func append(_ more: [Int16]) { samples += more }

    /// Records that no more samples will come.
    mutating func end() { isOver = true }

    /// Takes the next frames, or those that are there.
    mutating func take(_ count: Int) -> SampleBatch {
        let taken = Array(samples.prefix(count * 2))
        samples.removeFirst(taken.count)
        return SampleBatch(samples: taken, isLast: isOver && samples.isEmpty)
    }
}

package struct SampleBatch: Sendable {
    package let samples: [Int16]
    /// A Boolean value that indicates whether nothing follows.
    package let isLast: Bool
}

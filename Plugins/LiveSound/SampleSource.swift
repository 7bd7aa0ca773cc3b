import MediaDecoding

/// Samples for a device: left and right in turn, 16 bit.
package protocol SampleSource: Actor {
    nonisolated var facts: MediaFacts { get }

    /// Returns the next frames, fewer than `count` only at the end.
    func frames(_ count: Int) async throws(DecodingError) -> SampleBatch

    /// Continues at a frame, if ``facts`` say that the source supports it.
    func seek(toFrame frame: Int64) async throws(DecodingError)
}

package struct SampleBatch: Sendable {
    package let samples: [Int16]
    /// A Boolean value that indicates whether nothing follows.
    package let isLast: Bool
}

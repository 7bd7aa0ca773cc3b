/// The latest block of a sink's samples, and the number of frames before it.
package struct SampleProgress: Sendable, Hashable {
    /// The frames before the latest block.
    package let frames: Int
    /// The time at which the latest block was handed in, in nanoseconds of `CLOCK_MONOTONIC`.
    package let time: UInt64

    package init(frames: Int, time: UInt64) {
        self.frames = frames
        self.time = time
    }
}

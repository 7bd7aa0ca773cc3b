public import CoreMedia
public import Foundation

/// Consecutive frames of live sound. Available on Linux only.
public struct MediaSampleBlock: Sendable, Hashable {
    /// The frames, interleaved and little-endian, in the format of the reader.
    public let samples: Data
    /// The number of frames.
    public let frameCount: Int
    /// The position of the first frame in the playback: the number of frames before it, divided by the sample rate. A gap
    /// between two blocks means that frames were lost. A pause or a seek makes none.
    public let presentationTime: CMTime
    /// The time at which the source played the first frame, on the clock of `CMClock.hostTimeClock` (`CLOCK_MONOTONIC`).
    /// To play with a constant delay, play each frame this long after it.
    public let hostTime: CMTime

    /// The samples as numbers, the channels of a frame in turn. For a reader with the encoding `signed16`.
    public var signed16: [Int16] {
        samples.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }

    /// Creates a block, for tests of an extension.
    public init(samples: Data, frameCount: Int, presentationTime: CMTime, hostTime: CMTime) {
        self.samples = samples
        self.frameCount = frameCount
        self.presentationTime = presentationTime
        self.hostTime = hostTime
    }
}

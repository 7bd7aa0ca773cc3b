import CoreMedia
import Foundation
import HostInterface

/// Makes blocks of the wanted format from packets, and computes their times. A value without I/O.
struct BlockConversion: Sendable {
    private var conversion: SampleConversion
    /// The frame of the next packet, unless some are lost.
    private var following: UInt64?
    /// The position of the first frame that is converted, in frames of the result, and the number of frames since.
    private var origin = 0.0
    private var produced = 0
    /// The frames of the source since then, and the time at which the next one is heard, in nanoseconds.
    private var consumed = 0
    private var time = 0.0
    private var isFinished = false

    init(_ conversion: SampleConversion) { self.conversion = conversion }

    /// Returns the frames that are complete; `nil` if none are.
    mutating func block(_ header: SamplePacket, _ frames: Data) -> MediaSampleBlock? {
        let count = frames.count / conversion.source.bytesPerFrame
        guard count > 0 else { return nil }
        if following != header.frame {
            conversion.reset()
            origin = (Double(header.frame) / conversion.ratio).rounded()
            (produced, consumed) = (0, 0)
        }
        following = header.frame &+ UInt64(count)
        consumed += count
        time = Double(header.time) + Double(count) * 1e9 / Double(conversion.source.sampleRate)
        return block(conversion.convert(frames))
    }

    /// Returns the last frames; `nil` if there are none, or after the first call.
    mutating func last() -> MediaSampleBlock? {
        guard !isFinished else { return nil }
        isFinished = true
        return block(conversion.finish())
    }

    private mutating func block(_ samples: Data) -> MediaSampleBlock? {
        let count = samples.count / conversion.target.bytesPerFrame
        guard count > 0 else { return nil }
        defer { produced += count }
        // From the first frame of the block to the next frame of the source, in seconds.
        let behind = (Double(consumed) - Double(produced) * conversion.ratio) / Double(conversion.source.sampleRate)
        return MediaSampleBlock(
            samples: samples, frameCount: count,
            presentationTime: CMTime(
                value: CMTimeValue(clamping: origin) + CMTimeValue(produced),
                timescale: CMTimeScale(conversion.target.sampleRate)),
            hostTime: CMTime(value: CMTimeValue(clamping: (time - behind * 1e9).rounded()), timescale: 1_000_000_000))
    }
}

extension CMTimeValue {
    /// Creates the value nearest to a number.
    fileprivate init(clamping number: Double) { self = CMTimeValue(Swift.min(Swift.max(number, 0), 9e18)) }
}

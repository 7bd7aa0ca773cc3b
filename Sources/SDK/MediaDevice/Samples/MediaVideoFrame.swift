public import CoreMedia
public import Foundation

/// An encoded picture of live video. Available on Linux only.
public struct MediaVideoFrame: Sendable, Hashable {
    /// An H.264 access unit as a byte stream: NAL units, each after a start code (ITU-T H.264, annex B).
    ///
    /// The pictures have 4:2:0 chroma and 8 bits, in the Main or Baseline profile, without B frames: they are decoded in
    /// the order in which they are shown. A key frame has its parameter sets before it.
    public let accessUnit: Data
    /// A Boolean value that indicates whether it can be decoded without earlier frames.
    public let isKeyFrame: Bool
    /// The time at which the picture was captured, on the clock of `CMClock.hostTimeClock` (`CLOCK_MONOTONIC`).
    ///
    /// It increases from frame to frame, and the time between two frames varies. Sound with the same
    /// ``MediaSampleBlock/hostTime`` belongs to it.
    public let hostTime: CMTime

    /// Creates a frame, for tests of an extension.
    public init(accessUnit: Data, isKeyFrame: Bool, hostTime: CMTime) {
        self.accessUnit = accessUnit
        self.isKeyFrame = isKeyFrame
        self.hostTime = hostTime
    }
}

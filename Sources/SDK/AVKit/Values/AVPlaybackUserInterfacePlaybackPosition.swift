public import CoreMedia
public import Foundation

/// The position of playback at one instant, and its rate. Compared by value.
///
/// A reader computes the current position from the three values. Create a new object only when they no longer predict
/// it: on play, pause, seek, a change of speed, and stalls.
public final class AVPlaybackUserInterfacePlaybackPosition: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The position on the timeline.
    public let position: CMTime
    /// The time of ``position`` on the host clock (`CMClock.hostTimeClock`).
    public let hostTime: CMTime
    /// The rate in seconds of content per second: 0 when paused or stalled, negative when scanning backward.
    public let rate: Float

    /// Creates a position.
    public init(position: CMTime, hostTime: CMTime, rate: Float) {
        self.position = position
        self.hostTime = hostTime
        self.rate = rate
    }

    /// Returns the position at another time, computed with ``rate`` and not clamped to a timeline.
    ///
    /// Available on Linux only.
    ///
    /// - Parameter hostTime: The time on the host clock. An earlier time than ``hostTime`` counts as that.
    public func position(at hostTime: CMTime) -> CMTime {
        let elapsed = hostTime - self.hostTime
        guard rate != 0, rate.isFinite, position.isNumeric, elapsed.isNumeric, elapsed > .zero else { return position }
        return position + CMTimeMultiplyByFloat64(elapsed, multiplier: Double(rate))
    }

    /// Creates a position from an archive; `nil` if a value is missing.
    public init?(coder: NSCoder) {
        guard let position = coder.decodeTime(forKey: "position"), let hostTime = coder.decodeTime(forKey: "hostTime")
        else { return nil }
        self.position = position
        self.hostTime = hostTime
        rate = coder.decodeFloat(forKey: "rate")
    }

    /// Archives the position.
    public func encode(with coder: NSCoder) {
        coder.encode(position, forKey: "position")
        coder.encode(hostTime, forKey: "hostTime")
        coder.encode(rate, forKey: "rate")
    }

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the object itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a Boolean value that indicates whether another object is a position with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVPlaybackUserInterfacePlaybackPosition else { return false }
        return position == other.position && hostTime == other.hostTime && rate == other.rate
    }

    /// Hashes every value.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(position)
        hasher.combine(hostTime)
        hasher.combine(rate)
        return hasher.finalize()
    }
}

import CoreMedia
import Foundation

/// Where playback was at a moment, and how fast it moves from there. Equal by value.
///
/// The three values are taken together. A reader counts on from them, so a new object is due only when that would go
/// wrong: on play, pause, seek, a change of speed, and stalls.
public final class AVPlaybackUserInterfacePlaybackPosition: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The position on the timeline.
    public let position: CMTime
    /// When ``position`` held, on the host's clock (`CMClock.hostTimeClock`).
    public let hostTime: CMTime
    /// Seconds of content a second: 0 when paused or stalled, below 0 when scanning backward.
    public let rate: Float

    /// Describes where playback was at a moment.
    public init(position: CMTime, hostTime: CMTime, rate: Float) {
        self.position = position
        self.hostTime = hostTime
        self.rate = rate
    }

    /// The position at another moment, counted on at ``rate``; not clamped to any timeline.
    ///
    /// Available on Linux only.
    ///
    /// - Parameter hostTime: On the host's clock; a moment before ``hostTime`` counts as that.
    public func position(at hostTime: CMTime) -> CMTime {
        let elapsed = hostTime - self.hostTime
        guard rate != 0, rate.isFinite, position.isNumeric, elapsed.isNumeric, elapsed > .zero else { return position }
        return position + CMTimeMultiplyByFloat64(elapsed, multiplier: Double(rate))
    }

    /// Reads an archived position; `nil` if a value is missing.
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

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether another object is a position with the same values.
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

import CoreMedia
import Foundation
import HostInterface

/// `CLOCK_MONOTONIC`, the clock of ``PlaybackState/Position/hostTime``.
package enum MonotonicClock {
    /// The current time in seconds.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension CMTime {
    // Nanoseconds keep host times exact, and leave 292 years of range.
    private static let mirrorTimescale: Int32 = 1_000_000_000

    init(mirroredSeconds seconds: Double) {
        if seconds.isNaN {
            self = .invalid
        } else if seconds.isInfinite {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
        } else {
            self.init(seconds: seconds, preferredTimescale: Self.mirrorTimescale)
        }
    }

    /// The seconds of a numeric time; `nil` for an invalid, indefinite or infinite one, which can't cross the link.
    var numericSeconds: Double? {
        guard isNumeric else { return nil }
        let seconds = seconds
        return seconds.isFinite ? seconds : nil
    }
}

extension PlaybackState.TimeRange {
    init(_ range: CMTimeRange) {
        self.init(start: range.start.numericSeconds ?? 0, duration: max(0, range.duration.numericSeconds ?? 0))
    }

    var mirrored: CMTimeRange {
        CMTimeRange(start: CMTime(mirroredSeconds: start), duration: CMTime(mirroredSeconds: duration))
    }

    var end: Double { start + duration }
}

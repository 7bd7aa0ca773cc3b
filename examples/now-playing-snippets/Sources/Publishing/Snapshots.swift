import Foundation
import NowPlaying

/// Every state there is to publish.
public enum Snapshots {
    public static func all(now: Date) -> [MediaPlaybackSnapshot] {
        [
            MediaPlaybackSnapshot(state: .playing()),
            MediaPlaybackSnapshot(state: .playing(rate: 1.5), elapsedTime: 42, timestamp: now),
            MediaPlaybackSnapshot(
                state: .playing(rate: 5), defaultPlaybackRate: 1.5, elapsedTime: 42, timestamp: now),
            MediaPlaybackSnapshot(state: .playing(rate: -2), elapsedTime: 42, timestamp: now),
            MediaPlaybackSnapshot(state: .paused, elapsedTime: 42),
            MediaPlaybackSnapshot(state: .buffering, elapsedTime: 42),
            MediaPlaybackSnapshot(state: .interrupted, elapsedTime: 42),
            MediaPlaybackSnapshot(state: .stopped),
        ]
    }
}

/// The commands the model does not have.
@MainActor
public final class Scrubber {
    public private(set) var log: [String] = []

    public init() {}

    public var commands: [MediaCommand] {
        [
            .stop { self.log.append("stop") },
            .skipForward(preferredIntervals: [15, 30]) { self.log.append("forward \($0)") },
            .skipBackward { self.log.append("back \($0)") },
            .seekForward(beginAction: { self.log.append("begin") }, endAction: { self.log.append("end") }),
            .seekBackward(beginAction: { self.log.append("begin") }, endAction: { self.log.append("end") }),
            .changePlaybackRate(supported: [0.5, 1, 1.5, 2]) { self.log.append("rate \($0)") },
        ]
    }
}

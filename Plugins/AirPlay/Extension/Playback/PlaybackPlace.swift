import AirPlayProtocol
import Foundation

/// The position of playback, stored for the next process of the extension.
struct PlaybackPlace: Codable, Sendable, Hashable {
    /// The frame of the media.
    var frame: Int64
    /// The time at which the frame plays, in nanoseconds of the monotonic clock.
    var time: Int64
    var isPlaying: Bool

    init(frame: Int64, time: StreamTime, isPlaying: Bool) {
        self.frame = frame
        self.time = time.nanoseconds
        self.isPlaying = isPlaying
    }

    /// - Returns: `nil` for anything else than ``data``.
    init?(_ data: Data) {
        guard let place = try? JSONDecoder().decode(Self.self, from: data), place.frame >= 0 else { return nil }
        self = place
    }

    var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }

    /// Returns the frame that plays at a time.
    func frame(at now: StreamTime) -> Int64 {
        guard isPlaying else { return frame }
        let elapsed = Double(max(0, now.nanoseconds &- time)) / 1e9
        return frame + Int64(min(elapsed, 1e6) * Double(StreamDescription.frameRate))
    }
}

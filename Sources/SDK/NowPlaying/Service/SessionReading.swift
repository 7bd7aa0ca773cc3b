import Foundation
import HostInterface

/// The values read from a model at one time.
@MainActor
struct SessionReading {
    var content: (any MediaContentRepresentable)?
    var snapshot: MediaPlaybackSnapshot?
    var commands: [MediaCommand]
    /// The devices of a remote session; `nil` for a local one.
    var devices: [MediaDevice]?

    /// Returns the values in the form that crosses the link.
    ///
    /// - Parameters:
    ///   - previous: The snapshot published last and its converted form. An unchanged snapshot keeps its instant.
    ///   - now: `CLOCK_MONOTONIC` in seconds, and the time of day.
    func state(
        after previous: (snapshot: MediaPlaybackSnapshot, playback: MediaPlayback)?,
        now: (hostTime: Double, date: Date)
    ) -> MediaSessionState {
        var playback: MediaPlayback?
        if let snapshot {
            playback = snapshot == previous?.snapshot ? previous?.playback : MediaPlayback(snapshot, now: now)
        }
        return MediaSessionState(
            content: content.map { MediaItem($0) }, playback: playback, controls: commands.map(\.control),
            devices: devices?.map(\.shown))
    }
}

extension MediaPlayback {
    init(_ snapshot: MediaPlaybackSnapshot, now: (hostTime: Double, date: Date)) {
        self.init(state: .stopped, defaultRate: Double(snapshot.defaultPlaybackRate))
        rate = defaultRate
        switch snapshot.state {
        case .playing(let rate):
            state = .playing
            self.rate = Double(rate)
        case .paused: state = .paused
        case .stopped: state = .stopped
        case .buffering: state = .buffering
        case .interrupted: state = .interrupted
        }
        guard let elapsed = snapshot.elapsedTime, elapsed.isFinite else { return }
        // A clock that was set meanwhile must not move the position into the future.
        let age = max(0, snapshot.timestamp.map { now.date.timeIntervalSince($0) } ?? 0)
        position = Position(value: elapsed, hostTime: now.hostTime - (age.isFinite ? age : 0))
    }
}

import HostInterface

/// The latest samples that were handed to a sink's device.
package struct HandedSamples: Sendable, Hashable {
    /// The position of their beginning in what the device plays, in seconds.
    package let position: Double
    /// The time at which they were handed in, in seconds of `CLOCK_MONOTONIC`.
    package let hostTime: Double

    package init(position: Double, hostTime: Double) {
        self.position = position
        self.hostTime = hostTime
    }
}

/// The time from playing a sample to a sink until it is heard, measured by the positions that the device reports.
///
/// A player needs it to show the picture with the sound, and starts its own correction with every new value. So small
/// differences aren't passed on.
struct SinkDelay: Sendable, Hashable {
    /// The least difference that is worth a correction, in seconds. A picture of 50 frames a second takes twice as long.
    static let step = 0.01
    /// The longest delay, in seconds. If a device reports a longer one, it plays something else or its report is wrong.
    static let longest = 30.0

    /// In seconds; `nil` until it is measured.
    private(set) var value: Double?

    /// Takes a report of the device.
    mutating func take(_ playback: PlaybackState, _ samples: HandedSamples) {
        let position = playback.position
        guard playback.isPlaying, !playback.isBuffering, position.rate == 1 else { return }
        let heardAt = position.hostTime + samples.position - position.value
        take(heardAt - samples.hostTime)
    }

    /// Takes a delay that an extension measured.
    mutating func take(_ delay: Double) {
        guard delay >= 0, delay <= Self.longest else { return }
        if let value, abs(delay - value) < Self.step { return }
        value = delay
    }
}

@testable import PlaybackKit

/// The playback of a device that can wait for a common start, by its own clock.
struct SimulatedPlayer {
    private(set) var isHeld = true
    private var isPlaying = true
    private var speed = 1.0
    private var scanSpeed = 0.0
    private var position: Double
    /// The time of ``position``; in the future for a scheduled start.
    private var anchor: Double

    init(heldAt position: Double, now: Double) {
        self.position = position
        anchor = now
    }

    /// The seconds of media per second; 0 while it waits or is paused.
    func rate(at now: Double) -> Double {
        isPlaying && !isHeld && now >= anchor ? (scanSpeed == 0 ? speed : scanSpeed) : 0
    }

    func position(at now: Double) -> Double { max(0, position + rate(at: now) * (now - anchor)) }

    /// Returns its own report.
    func report(at now: Double) -> PlaybackSnapshot {
        var snapshot = PlaybackSnapshot(isPlaying: isPlaying, position: position(at: now), time: now)
        snapshot.isReady = !isHeld
        snapshot.isBuffering = isPlaying && rate(at: now) == 0
        snapshot.speed = speed
        snapshot.scanSpeed = scanSpeed
        return snapshot
    }

    mutating func start(from position: Double, at moment: Double) {
        self.position = position
        anchor = moment
        isHeld = false
        isPlaying = true
    }

    mutating func perform(_ wish: PlayerWish, now: Double) {
        position = position(at: now)
        anchor = max(anchor, now)
        switch wish {
        case .setPlaying(let isPlaying):
            self.isPlaying = isPlaying
            scanSpeed = 0
            if isPlaying { isHeld = false } else { anchor = now }
        case .seek(let target): position = target
        case .setSpeed(let speed): self.speed = speed
        case .scan(let speed): scanSpeed = speed
        default: break
        }
    }
}

/// A position as (value, time, rate), published anew only where the published one no longer predicts it.
struct PositionTracker {
    struct Anchor: Hashable {
        /// Seconds into the media.
        var value: Double
        /// Seconds of the host clock at which `value` held.
        var time: Double
        var rate: Double

        func value(at now: Double) -> Double { value + rate * max(0, now - time) }
    }

    /// Devices tell positions in steps of up to a second.
    static let tolerance = 1.0

    private(set) var anchor: Anchor?

    /// Takes a position that the device tells.
    ///
    /// - Returns: The new anchor; `nil` where the published one still holds.
    mutating func observe(_ snapshot: PlaybackSnapshot) -> Anchor? {
        let new = Anchor(value: max(0, snapshot.position), time: snapshot.time, rate: snapshot.rate)
        if let anchor, anchor.rate == new.rate {
            let difference = abs(anchor.value(at: new.time) - new.value)
            if difference <= (new.rate == 0 ? 0 : Self.tolerance) { return nil }
        }
        anchor = new
        return new
    }

    /// Stops the position where it is, e.g. while nothing is heard from the device.
    mutating func freeze(at now: Double) -> Anchor? {
        guard let old = anchor, old.rate != 0 else { return nil }
        let new = Anchor(value: old.value(at: now), time: now, rate: 0)
        anchor = new
        return new
    }
}

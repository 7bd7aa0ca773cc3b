/// A position as value, time and rate. It is published again only when the published one no longer predicts it.
struct PositionTracker {
    struct Anchor: Hashable {
        /// The position in seconds from the beginning.
        var value: Double
        /// The time of `value`, in seconds of the host clock.
        var time: Double
        var rate: Double

        func value(at now: Double) -> Double { value + rate * max(0, now - time) }
    }

    private(set) var anchor: Anchor?

    /// Processes a position that the device reports.
    ///
    /// - Returns: The new anchor; `nil` if the published one still holds.
    mutating func observe(_ snapshot: PlaybackSnapshot) -> Anchor? {
        let new = Anchor(value: max(0, snapshot.position), time: snapshot.time, rate: snapshot.rate)
        if let anchor, anchor.rate == new.rate {
            let difference = abs(anchor.value(at: new.time) - new.value)
            if difference <= (new.rate == 0 ? 0 : snapshot.positionTolerance) { return nil }
        }
        anchor = new
        return new
    }

    /// Stops the position where it is, for example while the device is silent.
    mutating func freeze(at now: Double) -> Anchor? {
        guard let old = anchor, old.rate != 0 else { return nil }
        let new = Anchor(value: old.value(at: now), time: now, rate: 0)
        anchor = new
        return new
    }
}

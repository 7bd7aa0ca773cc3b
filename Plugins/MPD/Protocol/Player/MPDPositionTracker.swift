/// A playing position as (value, time, rate), republished only where the old one no longer predicts it.
package struct MPDPositionTracker: Sendable, Hashable {
    package struct Snapshot: Sendable, Hashable {
        /// Seconds into the song.
        package var value: Double
        /// The clock's seconds at which `value` held.
        package var time: Double
        /// 1 while it plays, else 0.
        package var rate: Double

        package init(value: Double, time: Double, rate: Double) {
            self.value = value
            self.time = time
            self.rate = rate
        }

        package func value(at now: Double) -> Double { value + rate * max(0, now - time) }
    }

    /// MPD reports positions in steps of its decoder's chunks, up to half a second behind what is heard.
    package static let tolerance = 1.0

    package private(set) var snapshot: Snapshot?

    package init() {}

    /// Takes a reported position.
    ///
    /// - Returns: The new snapshot, or `nil` where the one already published still holds.
    package mutating func observe(_ status: MPDStatus, isDecoding: Bool, now: Double) -> Snapshot? {
        let rate: Double = status.state == .play && isDecoding ? 1 : 0
        let value = status.elapsed ?? 0
        if let snapshot, snapshot.rate == rate, abs(snapshot.value(at: now) - value) <= (rate == 0 ? 0 : Self.tolerance)
        {
            return nil
        }
        let new = Snapshot(value: value, time: now, rate: rate)
        snapshot = new
        return new
    }

    /// Stops the clock where it stands, for the time nothing is heard from the server.
    package mutating func freeze(now: Double) -> Snapshot? {
        guard let old = snapshot, old.rate != 0 else { return nil }
        let new = Snapshot(value: old.value(at: now), time: now, rate: 0)
        snapshot = new
        return new
    }
}

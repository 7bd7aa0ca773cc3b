/// The level that a device reported, and the one that people see: what they asked for counts as reached until the request is
/// settled.
struct DeviceLevel {
    /// `nil` before the first report.
    private(set) var reported: PlayerLevel?
    private var asked: [PlayerWish.Kind: PlayerWish] = [:]

    /// The volume, `0...1`.
    var volume: Double { if case .setVolume(let volume)? = asked[.volume] { volume } else { reported?.volume ?? 0 } }

    var isMuted: Bool { if case .setMuted(let isMuted)? = asked[.mute] { isMuted } else { reported?.isMuted ?? false } }

    mutating func ask(_ wish: PlayerWish) {
        if wish.kind == .volume || wish.kind == .mute { asked[wish.kind] = wish }
    }

    /// Shows what the device reported in place of what was asked for.
    mutating func settle(_ kinds: [PlayerWish.Kind]) { for kind in kinds { asked[kind] = nil } }

    /// Takes a report.
    ///
    /// - Parameter settled: The requests that don't wait any longer.
    /// - Returns: `false` if people see the same as before.
    mutating func take(_ new: PlayerLevel, settled: [PlayerWish.Kind]) -> Bool {
        let (old, shown) = (reported, (volume, isMuted))
        reported = new
        settle(settled)
        // A device that rounds reports its level while the request still counts, and once more when it no longer does.
        return old != new || shown != (volume, isMuted)
    }
}

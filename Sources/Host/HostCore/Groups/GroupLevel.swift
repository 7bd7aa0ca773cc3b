/// The loudness of devices with absolute levels that are used together: as loud as the loudest of them, and moved in
/// proportion.
///
/// With the loudest for the whole, nothing is ever cut off at the top, so the proportions people set stay. They are also
/// kept while everything is silent, and while devices that count in whole hundredths round.
package struct GroupLevel: Sendable, Hashable {
    /// The difference from the assigned volume above which a person must have changed it.
    private static let rounding = 0.015

    /// `0.0...1.0`, by device.
    package private(set) var levels: [String: Double] = [:]
    /// Parts of the whole, the loudest 1.
    private var shares: [String: Double] = [:]

    package init() {}

    /// The volume of the group; `nil` if no device has reported one.
    package var level: Double? { levels.values.max() }

    /// Processes the volume of a device.
    package mutating func heard(_ level: Double, from id: String) {
        let expected = shares[id].map { $0 * (self.level ?? 0) }
        levels[id] = level
        if let expected, abs(level - expected) <= Self.rounding { return }
        guard let loudest = self.level, loudest > 0 else {
            shares[id] = shares[id] ?? 1
            return
        }
        shares = levels.mapValues { $0 / loudest }
    }

    /// Removes a device.
    package mutating func remove(_ id: String) {
        levels[id] = nil
        shares[id] = nil
        guard let loudest = shares.values.max(), loudest > 0 else { return }
        shares = shares.mapValues { $0 / loudest }
    }

    /// Changes the level of the whole group.
    ///
    /// - Returns: The new level of each device, `0.0...1.0`.
    package mutating func move(to level: Double) -> [String: Double] {
        let level = min(1, max(0, level))
        levels = levels.keys.reduce(into: [:]) { $0[$1] = min(1, level * (shares[$1] ?? 1)) }
        return levels
    }
}

/// The volume of a sink: of its device, or of its group as a whole.
extension SoundSink {
    /// `0.0...1.0`; `nil` until a device has reported one.
    var level: Double? {
        guard isGroup else { return devices[record.id]?.level }
        if case .playing = phase, let level = devices.values.compactMap(\.groupLevel).max() { return level }
        return groupLevel.level
    }

    /// The devices of a group without the missing ones.
    var presentIDs: [String] { isGroup ? deviceIDs.filter { !missing.contains($0) } : deviceIDs }

    private var groupLevel: GroupLevel {
        var group = GroupLevel()
        for id in deviceIDs {
            if let level = devices[id]?.level { group.heard(level, from: id) }
        }
        return group
    }

    /// Returns the new level of each device for a level of the sink.
    func levels(for level: Double) -> [String: Double] {
        var group = groupLevel
        // Devices that haven't reported theirs get the level itself.
        let known = group.move(to: level)
        return presentIDs.reduce(into: [:]) { $0[$1] = known[$1] ?? level }
    }
}

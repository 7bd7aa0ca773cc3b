/// The groups of devices. Each has a leader, which has the session, and followers in their order of arrival. A value
/// without I/O; a single device has no group.
package struct DeviceGroups: Sendable, Hashable {
    /// The followers by leader; never empty.
    private var followers: [String: [String]] = [:]
    private var leaders: [String: String] = [:]

    package init() {}

    /// Returns the leader of a device's group; the device itself if it follows none.
    package func leader(of id: String) -> String { leaders[id] ?? id }

    package func isFollower(_ id: String) -> Bool { leaders[id] != nil }

    /// Returns the followers of a device, in their order of arrival.
    package func followers(of id: String) -> [String] { followers[id] ?? [] }

    /// Returns all devices of a group, the leader first; only the device itself without a group.
    package func members(of id: String) -> [String] {
        let leader = leader(of: id)
        return [leader] + followers(of: leader)
    }

    package func isGrouped(_ id: String) -> Bool { isFollower(id) || followers[id] != nil }

    /// Adds a device without a group to the group of `other`.
    package mutating func add(_ id: String, to other: String) {
        let leader = leader(of: other)
        guard !isGrouped(id), id != leader else { return }
        leaders[id] = leader
        followers[leader, default: []].append(id)
    }

    /// Removes a device. Replace a leader first, or its group ends.
    package mutating func remove(_ id: String) {
        if let leader = leaders.removeValue(forKey: id) {
            followers[leader]?.removeAll { $0 == id }
            if followers[leader]?.isEmpty == true { followers[leader] = nil }
        }
        for follower in followers.removeValue(forKey: id) ?? [] { leaders[follower] = nil }
    }

    /// Makes a follower the leader. The former leader takes its place.
    package mutating func promote(_ id: String) {
        guard let former = leaders.removeValue(forKey: id) else { return }
        let others = (followers.removeValue(forKey: former) ?? []).map { $0 == id ? former : $0 }
        followers[id] = others
        for other in others { leaders[other] = id }
    }
}

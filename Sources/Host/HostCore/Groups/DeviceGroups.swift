/// Which devices are used together: in each group one leads, whose session it is, and the others follow, in the order they
/// came. A value without I/O; a device alone is in no group.
package struct DeviceGroups: Sendable, Hashable {
    /// Keyed by the one that leads; never empty.
    private var followers: [String: [String]] = [:]
    private var leaders: [String: String] = [:]

    package init() {}

    /// The device that leads where `id` is used; itself where it follows nobody.
    package func leader(of id: String) -> String { leaders[id] ?? id }

    package func isFollower(_ id: String) -> Bool { leaders[id] != nil }

    /// Those that follow `id`, in the order they came.
    package func followers(of id: String) -> [String] { followers[id] ?? [] }

    /// Everybody used together with `id`, the one that leads first; `id` alone where it is alone.
    package func members(of id: String) -> [String] {
        let leader = leader(of: id)
        return [leader] + followers(of: leader)
    }

    package func isGrouped(_ id: String) -> Bool { isFollower(id) || followers[id] != nil }

    /// `id`, which is in no group, follows the one that leads where `other` is used.
    package mutating func add(_ id: String, to other: String) {
        let leader = leader(of: other)
        guard !isGrouped(id), id != leader else { return }
        leaders[id] = leader
        followers[leader, default: []].append(id)
    }

    /// `id` is in no group any more. One that leads has to be replaced first, or its group is over.
    package mutating func remove(_ id: String) {
        if let leader = leaders.removeValue(forKey: id) {
            followers[leader]?.removeAll { $0 == id }
            if followers[leader]?.isEmpty == true { followers[leader] = nil }
        }
        for follower in followers.removeValue(forKey: id) ?? [] { leaders[follower] = nil }
    }

    /// `id`, which follows, leads from now on; the one that led follows in its place.
    package mutating func promote(_ id: String) {
        guard let former = leaders.removeValue(forKey: id) else { return }
        let others = (followers.removeValue(forKey: former) ?? []).map { $0 == id ? former : $0 }
        followers[id] = others
        for other in others { leaders[other] = id }
    }
}

/// The clients that want discovery, and what each was told about its list: a value.
struct DiscoveryLeases {
    private(set) var all: Set<String> = []
    /// Those whose list contains all remembered devices.
    private var listed: Set<String> = []
    private(set) var told: [String: Bool] = [:]

    var isEmpty: Bool { all.isEmpty }

    func contains(_ id: String) -> Bool { all.contains(id) }

    /// - Returns: `false` if it is taken already.
    mutating func take(_ id: String) -> Bool { all.insert(id).inserted }

    /// - Returns: `false` if there is none.
    mutating func end(_ id: String) -> Bool {
        listed.remove(id)
        return all.remove(id) != nil
    }

    /// The list of a lease contains all remembered devices now.
    mutating func list(_ id: String) { listed.insert(id) }

    /// Returns what changed for some leases since they were told.
    ///
    /// - Parameter isComplete: A function that says whether a listed lease's list is complete and checked.
    /// - Returns: `nil` for a lease without a list.
    mutating func news(
        for ids: some Sequence<String>, isComplete: (String) -> Bool
    ) -> [String: Bool?] {
        var changes: [String: Bool?] = [:]
        for id in ids {
            let current = listed.contains(id) ? isComplete(id) : nil
            guard told[id] != current else { continue }
            told[id] = current
            changes.updateValue(current, forKey: id)
        }
        return changes
    }
}

/// The tasks that check listed devices, those that ask silent ones again, and the rounds in which they were asked.
struct DeviceChecks {
    private struct Round {
        let timer: Task<Void, Never>
        /// The lease that waits for it.
        let lease: String?
    }

    private var checks: [String: Task<Void, Never>] = [:]
    private var recalls: [String: Task<Void, Never>] = [:]
    private var rounds: [Int: Round] = [:]

    var count: Int { checks.count + recalls.count + rounds.count }

    func isChecking(_ id: String) -> Bool { checks[id] != nil }
    func isRecalling(_ id: String) -> Bool { recalls[id] != nil }

    mutating func begin(_ id: String, _ task: Task<Void, Never>) { checks[id] = task }
    mutating func finished(_ id: String) { checks[id] = nil }

    mutating func recall(_ id: String, _ task: Task<Void, Never>) { recalls[id] = task }
    mutating func endRecall(_ id: String) { recalls.removeValue(forKey: id)?.cancel() }

    mutating func end(_ id: String) {
        checks.removeValue(forKey: id)?.cancel()
        endRecall(id)
    }

    mutating func begin(round: Int, for lease: String?, _ timer: Task<Void, Never>) {
        rounds[round] = Round(timer: timer, lease: lease)
    }

    /// - Returns: The lease that waited for it.
    mutating func end(round: Int) -> String? {
        guard let ended = rounds.removeValue(forKey: round) else { return nil }
        ended.timer.cancel()
        return ended.lease
    }

    mutating func endAll() {
        for task in checks.values { task.cancel() }
        for task in recalls.values { task.cancel() }
        for round in rounds.values { round.timer.cancel() }
        (checks, recalls, rounds) = ([:], [:], [:])
    }
}

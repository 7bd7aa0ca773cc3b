/// The availability of devices, from the reports of extensions and from checks, as a value that can be tested without a
/// daemon.
///
/// Devices are checked in rounds. A lease is settled when every device of its rounds has answered or its time has
/// passed.
package struct DevicePresence: Sendable {
    /// The result of a check.
    package enum Conclusion: Sendable, Hashable {
        case ready, remembered
        /// A person forgot it, and it does not answer.
        case gone
    }

    private struct Round {
        let lease: String?
        var pending: Set<String>
    }

    /// The extension whose current process reported the device and hasn't lost it.
    private var reporters: [String: String] = [:]
    /// The devices that were reported in this discovery.
    private var seen: Set<String> = []
    /// Reported devices that were asked and did not answer.
    private var silent: Set<String> = []
    private var forgotten: Set<String> = []
    private var rounds: [Int: Round] = [:]
    /// The number of rounds each lease waits for.
    private var waits: [String: Int] = [:]
    private var lastRound = 0

    package init() {}

    /// The number of stored values, to check that they are bounded.
    var count: Int { reporters.count + seen.count + silent.count + forgotten.count + rounds.count }

    package func isReported(_ id: String) -> Bool { reporters[id] != nil }
    package func isSeen(_ id: String) -> Bool { seen.contains(id) }
    package func isSilent(_ id: String) -> Bool { silent.contains(id) }

    // MARK: Reports of extensions

    package mutating func reported(_ id: String, by identifier: String) {
        reporters[id] = identifier
        seen.insert(id)
        forgotten.remove(id)
    }

    /// Processes the loss of a device by its extension.
    package mutating func lost(_ id: String) {
        reporters[id] = nil
        seen.remove(id)
        silent.remove(id)
        forgotten.remove(id)
    }

    /// Removes the reports of an extension whose process exited.
    ///
    /// - Returns: The devices that it had reported.
    package mutating func processEnded(_ identifier: String) -> [String] {
        let ids = reporters.filter { $0.value == identifier }.map(\.key)
        for id in ids { lost(id) }
        return ids
    }

    /// Records that a person forgot a device. It is removed unless it answers.
    package mutating func forget(_ id: String) { forgotten.insert(id) }

    /// Ends the discovery. The reports of extensions remain.
    package mutating func endLook() {
        seen = []
        silent = []
        forgotten = []
        rounds = [:]
        waits = [:]
    }

    // MARK: Questions

    /// Starts a round of checks.
    ///
    /// - Parameter lease: The lease that waits for the results.
    /// - Returns: The number of the round.
    package mutating func begin(_ ids: [String], for lease: String?) -> Int {
        lastRound += 1
        rounds[lastRound] = Round(lease: lease, pending: Set(ids))
        if let lease { waits[lease, default: 0] += 1 }
        return lastRound
    }

    /// Returns the devices of a round that haven't answered yet.
    package func pending(_ round: Int) -> Set<String> { rounds[round]?.pending ?? [] }

    /// Returns whether the lease waits for an answer.
    package func isAwaited(by lease: String) -> Bool { waits[lease] != nil }

    /// Ends a check.
    ///
    /// - Returns: The rounds that it completes.
    @discardableResult
    package mutating func answered(_ id: String) -> [Int] {
        var over: [Int] = []
        for number in rounds.keys where rounds[number]?.pending.remove(id) != nil {
            if rounds[number]?.pending.isEmpty == true { over.append(number) }
        }
        for number in over { end(number) }
        return over
    }

    package mutating func end(_ round: Int) {
        guard let lease = rounds.removeValue(forKey: round)?.lease, let count = waits[lease] else { return }
        waits[lease] = count > 1 ? count - 1 : nil
    }

    /// Evaluates a check.
    ///
    /// - Parameter answer: The result; `nil` for a device that can't be checked, whose extension decides.
    /// - Returns: `nil` if the answer isn't conclusive, because another device may have the address of a remembered
    ///   one.
    package mutating func conclude(_ id: String, _ answer: Bool?) -> Conclusion? {
        switch answer {
        case true?:
            guard isReported(id) else { return nil }
        case nil:
            guard isSeen(id) else { return nil }
        case false?:
            if forgotten.contains(id) { return .gone }
            if isReported(id) { silent.insert(id) }
            return .remembered
        }
        silent.remove(id)
        forgotten.remove(id)
        return .ready
    }
}

/// Which devices are there, as far as extensions and questions tell: a value, so that each step can be tested without a
/// daemon.
///
/// A device is asked in a round; a lease is settled when every device of its rounds has answered or had its time.
package struct DevicePresence: Sendable {
    /// What an answer makes of a device.
    package enum Conclusion: Sendable, Hashable {
        case ready, remembered
        /// A person forgot it, and it does not answer.
        case gone
    }

    private struct Round {
        let lease: String?
        var pending: Set<String>
    }

    /// The extension that reported the device in this run of its process and has not lost it since.
    private var reporters: [String: String] = [:]
    /// Devices reported in this look.
    private var seen: Set<String> = []
    /// Reported devices that were asked and did not answer.
    private var silent: Set<String> = []
    private var forgotten: Set<String> = []
    private var rounds: [Int: Round] = [:]
    /// How many rounds each lease waits for.
    private var waits: [String: Int] = [:]
    private var lastRound = 0

    package init() {}

    /// How much is kept, for what must not grow.
    var count: Int { reporters.count + seen.count + silent.count + forgotten.count + rounds.count }

    package func isReported(_ id: String) -> Bool { reporters[id] != nil }
    package func isSeen(_ id: String) -> Bool { seen.contains(id) }
    package func isSilent(_ id: String) -> Bool { silent.contains(id) }

    // MARK: What extensions say

    package mutating func reported(_ id: String, by identifier: String) {
        reporters[id] = identifier
        seen.insert(id)
        forgotten.remove(id)
    }

    /// The extension lost the device.
    package mutating func lost(_ id: String) {
        reporters[id] = nil
        seen.remove(id)
        silent.remove(id)
        forgotten.remove(id)
    }

    /// The extension's process is gone, and with it what it knew.
    ///
    /// - Returns: The devices it had reported.
    package mutating func processEnded(_ identifier: String) -> [String] {
        let ids = reporters.filter { $0.value == identifier }.map(\.key)
        for id in ids { lost(id) }
        return ids
    }

    /// A person forgot the device: unless it answers it goes.
    package mutating func forget(_ id: String) { forgotten.insert(id) }

    /// The look is over; extensions keep what they reported.
    package mutating func endLook() {
        seen = []
        silent = []
        forgotten = []
        rounds = [:]
        waits = [:]
    }

    // MARK: Questions

    /// Begins to ask.
    ///
    /// - Parameter lease: The one that waits for the answers.
    /// - Returns: The number of the round.
    package mutating func begin(_ ids: [String], for lease: String?) -> Int {
        lastRound += 1
        rounds[lastRound] = Round(lease: lease, pending: Set(ids))
        if let lease { waits[lease, default: 0] += 1 }
        return lastRound
    }

    /// The devices of the round that have not answered yet.
    package func pending(_ round: Int) -> Set<String> { rounds[round]?.pending ?? [] }

    /// Whether the lease waits for an answer.
    package func isAwaited(by lease: String) -> Bool { waits[lease] != nil }

    /// The question is over.
    ///
    /// - Returns: The rounds that are over with it.
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

    /// Judges an answer.
    ///
    /// - Parameter answer: `nil` for a device that cannot be asked: its extension's word counts.
    /// - Returns: `nil` where it tells nothing: another device may be where a remembered one was.
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

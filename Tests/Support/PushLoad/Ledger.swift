import Foundation
import PushInterface
import Synchronization

/// The sent, answered and applied pushes, to be compared at the end.
final class Ledger: Sendable {
    private struct State {
        /// The numbers of the pushes answered with 200, in order, by session.
        var accepted: [Int: [Int]] = [:]
        /// The numbers of the applied pushes, in order, by session.
        var applied: [Int: [Int]] = [:]
        /// Seconds from when a push was due to its 200 and until it was applied, with when it was due.
        var answers: [(due: Double, seconds: Double)] = []
        var applications: [(due: Double, seconds: Double)] = []
        var probes: [(due: Double, seconds: Double)] = []
        var repeated = 0
        var attempts = 0
        var refusals: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func attempted(_ refusal: String?) {
        state.withLock { state in
            state.attempts += 1
            if let refusal { state.refusals[refusal, default: 0] += 1 }
        }
    }

    func accepted(_ session: Int, _ number: Int, due: Double, now: Double) {
        state.withLock { state in
            state.accepted[session, default: []].append(number)
            state.answers.append((due, now - due))
        }
    }

    func applied(_ session: Int, _ number: Int, due: Double, now: Double) {
        state.withLock { state in
            state.applied[session, default: []].append(number)
            state.applications.append((due, now - due))
        }
    }

    func repeated() { state.withLock { $0.repeated += 1 } }

    func probed(due: Double, now: Double) { state.withLock { $0.probes.append((due, now - due)) } }

    /// A Boolean value that indicates whether every accepted push was applied.
    var isComplete: Bool {
        state.withLock { state in
            state.accepted.allSatisfy { session, numbers in
                Set(numbers).isSubset(of: state.applied[session] ?? [])
            }
        }
    }

    struct Result: Encodable {
        var accepted: Int
        var lost: Int
        var appliedTwice: Int
        var outOfOrder: Int
        /// Copies that came to a host and were not applied.
        var repeated: Int
        var attempts: Int
        var refusals: [String: Int]
        /// Milliseconds: median and the 99th percentile, of all pushes and of those due in the quiet seconds.
        var answer: [String: Double]
        var application: [String: Double]
        var probe: [String: Double]
        /// The longest time without any answer of 200, in seconds.
        var longestSilence: Double
    }

    func result(quiet: ClosedRange<Double>) -> Result {
        state.withLock { state in
            var (lost, twice, disorder) = (0, 0, 0)
            for (session, numbers) in state.accepted {
                let applied = state.applied[session] ?? []
                lost += Set(numbers).subtracting(applied).count
                twice += applied.count - Set(applied).count
                disorder += zip(applied, applied.dropFirst()).count { $0 >= $1 }
            }
            let answered = state.answers.map { $0.due + $0.seconds }.sorted()
            let silence = zip(answered, answered.dropFirst()).map { $1 - $0 }.max() ?? 0
            return Result(
                accepted: state.answers.count, lost: lost, appliedTwice: twice, outOfOrder: disorder,
                repeated: state.repeated, attempts: state.attempts, refusals: state.refusals,
                answer: Self.summary(state.answers, quiet), application: Self.summary(state.applications, quiet),
                probe: Self.summary(state.probes, quiet), longestSilence: silence)
        }
    }

    private static func summary(
        _ values: [(due: Double, seconds: Double)], _ quiet: ClosedRange<Double>
    ) -> [String: Double] {
        var summary: [String: Double] = [:]
        for (name, part) in [("", values), ("quiet ", values.filter { quiet.contains($0.due) })] {
            let sorted = part.map { $0.seconds * 1000 }.sorted()
            guard let last = sorted.last else { continue }
            summary[name + "p50"] = sorted[sorted.count / 2]
            summary[name + "p99"] = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
            summary[name + "max"] = last
        }
        return summary
    }
}

/// A limit for the number of descriptions that are read at a time, in total and for each sender.
///
/// A sender without a slot gets one before senders that have some, so that a sender with hundreds of slow addresses
/// delays only itself.
@MainActor
final class ReadingSlots {
    struct Bounds: Sendable, Hashable {
        /// Each takes up to three connections.
        var total = 24
        var perSender = 2
    }

    private struct Waiter {
        var sender: String
        var continuation: CheckedContinuation<Void, Never>
    }

    private let bounds: Bounds
    private var running: [String: Int] = [:]
    private var waiting: [Waiter] = []

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// Runs `body` when there is a slot for its sender.
    func run<Value: Sendable>(for sender: String, _ body: @MainActor () async throws -> Value) async rethrows -> Value {
        if isFree(for: sender) {
            running[sender, default: 0] += 1
        } else {
            // The slot is handed over, so it is taken when this returns.
            await withCheckedContinuation { waiting.append(Waiter(sender: sender, continuation: $0)) }
        }
        defer { leave(sender) }
        return try await body()
    }

    private func isFree(for sender: String) -> Bool {
        running.values.reduce(0, +) < bounds.total && running[sender, default: 0] < bounds.perSender
    }

    private func leave(_ sender: String) {
        if let count = running[sender] { running[sender] = count > 1 ? count - 1 : nil }
        // The first of those whose sender has the fewest.
        let eligible = waiting.indices.filter { isFree(for: waiting[$0].sender) }
        guard let index = eligible.min(by: { count(of: $0) < count(of: $1) }) else { return }
        let waiter = waiting.remove(at: index)
        running[waiter.sender, default: 0] += 1
        waiter.continuation.resume()
    }

    private func count(of index: Int) -> Int { running[waiting[index].sender, default: 0] }
}

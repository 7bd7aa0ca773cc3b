import HostInterface
import Synchronization

/// Callers waiting for an outcome that arrives as a message: every one is resumed exactly once.
///
/// A lock and no actor, so that a message's handler can fulfil an expectation without a suspension in between.
final class Expectations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let ticket: Int
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// Waits for the outcome `key`.
    ///
    /// - Parameters:
    ///   - limit: After this long `late` is thrown.
    ///   - begin: Runs once the caller is registered, so an answer that comes at once is not missed; what it throws
    ///     ends the wait.
    /// - Throws: `late`, what `begin` threw, what ``fail(_:with:)`` was given, or ``HostError`` `cancelled` when another
    ///   caller waits for the same key or the task is cancelled.
    func outcome(
        _ key: Key, within limit: Duration, clock: any Clock<Duration>, late: HostError,
        begin: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Value {
        let timer = Mutex<Task<Void, Never>?>(nil)
        defer { timer.withLock { $0?.cancel() } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ticket = register(key, continuation)
                let task = Task {
                    do {
                        try await begin()
                        try await clock.sleep(for: limit)
                        expire(key, ticket: ticket, with: late)
                    } catch {
                        expire(key, ticket: ticket, with: error)
                    }
                }
                timer.withLock { $0 = task }
            }
        } onCancel: {
            fail(key, with: HostError(.cancelled, "Cancelled."))
        }
    }

    /// Resumes everybody who waits.
    func fulfilAll(with value: Value) {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values
        }
        for entry in entries { entry.continuation.resume(returning: value) }
    }

    /// - Returns: Whether anybody waited.
    @discardableResult
    func fulfil(_ key: Key, with value: Value) -> Bool {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: key) }) else { return false }
        entry.continuation.resume(returning: value)
        return true
    }

    @discardableResult
    func fail(_ key: Key, with error: any Error) -> Bool {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: key) }) else { return false }
        entry.continuation.resume(throwing: error)
        return true
    }

    private func register(_ key: Key, _ continuation: CheckedContinuation<Value, any Error>) -> Int {
        let (ticket, superseded) = state.withLock { state in
            state.lastTicket += 1
            let old = state.entries.updateValue(
                Entry(ticket: state.lastTicket, continuation: continuation), forKey: key)
            return (state.lastTicket, old)
        }
        superseded?.continuation.resume(throwing: HostError(.cancelled, "Another request took its place."))
        return ticket
    }

    /// Fails the caller holding `ticket`, and nobody who came after it.
    private func expire(_ key: Key, ticket: Int, with error: any Error) {
        let entry = state.withLock { state in
            state.entries[key]?.ticket == ticket ? state.entries.removeValue(forKey: key) : nil
        }
        entry?.continuation.resume(throwing: error)
    }
}

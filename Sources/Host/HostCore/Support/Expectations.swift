import HostInterface
import Synchronization

/// The callers that wait for a result that arrives as a message. Each is resumed exactly once.
///
/// It is a lock and not an actor, so that the handler of a message can fulfil an expectation without suspension.
final class Expectations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let ticket: Int
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var entries: [Key: [Entry]] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// Waits for the result `key`. Several callers can wait, and get the same one.
    ///
    /// A caller that is an actor is registered without suspension: what it checked before still holds.
    ///
    /// - Parameters:
    ///   - limit: The time after which `late` is thrown.
    ///   - begin: A function that runs after the caller is registered, so that an immediate answer isn't missed. Its
    ///     error ends the wait.
    /// - Throws: `late`, the error of `begin`, that of ``fail(_:with:)``, or ``HostError`` `cancelled` if the task is
    ///   cancelled.
    func outcome(
        _ key: Key, within limit: Duration, clock: any Clock<Duration>, late: HostError,
        isolation: isolated (any Actor)? = #isolation, begin: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Value {
        let timer = Mutex<Task<Void, Never>?>(nil)
        defer { timer.withLock { $0?.cancel() } }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            // Captured, so that the closure runs there.
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                state.withLock {
                    $0.entries[key, default: []].append(Entry(ticket: ticket, continuation: continuation))
                }
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
                // Cancelled before there was anything to end.
                if Task.isCancelled { expire(key, ticket: ticket, with: Self.cancelled) }
            }
        } onCancel: {
            expire(key, ticket: ticket, with: Self.cancelled)
        }
    }

    private static var cancelled: HostError { HostError(.cancelled, "Cancelled.") }

    /// Resumes all waiting tasks.
    func fulfilAll(with value: Value) {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries.values.flatMap { $0 }
        }
        for entry in entries { entry.continuation.resume(returning: value) }
    }

    /// - Returns: Whether a task was waiting.
    @discardableResult
    func fulfil(_ key: Key, with value: Value) -> Bool {
        let entries = state.withLock { $0.entries.removeValue(forKey: key) } ?? []
        for entry in entries { entry.continuation.resume(returning: value) }
        return !entries.isEmpty
    }

    @discardableResult
    func fail(_ key: Key, with error: any Error) -> Bool {
        let entries = state.withLock { $0.entries.removeValue(forKey: key) } ?? []
        for entry in entries { entry.continuation.resume(throwing: error) }
        return !entries.isEmpty
    }

    /// Fails only the caller with `ticket`.
    private func expire(_ key: Key, ticket: Int, with error: any Error) {
        let entry: Entry? = state.withLock { state in
            guard let index = state.entries[key]?.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            let entry = state.entries[key]?.remove(at: index)
            if state.entries[key]?.isEmpty == true { state.entries[key] = nil }
            return entry
        }
        entry?.continuation.resume(throwing: error)
    }
}

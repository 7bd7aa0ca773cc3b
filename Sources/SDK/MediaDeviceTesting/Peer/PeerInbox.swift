import Foundation
import Synchronization

/// A value that one side changes and the other side waits for.
final class PeerInbox<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
        var released: Set<Int> = []
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        let waiters = state.withLock { state in
            body(&state.value)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until a value can be taken.
    ///
    /// - Parameter take: A closure that returns the value; `nil` as long as it isn't available. It runs at every
    ///   change.
    /// - Returns: `nil` after the time limit, or if the task is cancelled.
    func wait<Taken: Sendable>(
        for limit: Duration, take: @escaping @Sendable (inout Value) -> Taken?
    ) async -> Taken? {
        let deadline = ContinuousClock.now + limit
        while true {
            let number = state.withLock { state -> Int in
                state.last += 1
                return state.last
            }
            let expiry = Task {
                guard (try? await Task.sleep(until: deadline)) != nil else { return }
                release(number)
            }
            let taken: Taken? = await withTaskCancellationHandler {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let isReady = state.withLock { state in
                        if state.released.remove(number) != nil || Self.holds(state.value, take) { return true }
                        state.waiters[number] = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
                return state.withLock { take(&$0.value) }
            } onCancel: {
                release(number)
            }
            expiry.cancel()
            if let taken { return taken }
            if Task.isCancelled || ContinuousClock.now >= deadline { return nil }
        }
    }

    private static func holds<Taken>(_ value: Value, _ take: (inout Value) -> Taken?) -> Bool {
        var copy = value
        return take(&copy) != nil
    }

    private func release(_ number: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil { state.released.insert(number) }
            return waiter
        }
        waiter?.resume()
    }
}

package import DBus

/// The calls a scripted daemon received, in order, and the waiting tests.
package actor CallLog {
    package struct Call: Sendable {
        package let path: String
        package let member: String
        package let arguments: [DBusValue]
        package let client: DBusClient
    }

    private struct Waiter {
        let member: String
        let count: Int
        let continuation: CheckedContinuation<Call, any Error>
    }

    package private(set) var calls: [Call] = []
    private var waiters: [Int: Waiter] = [:]
    private var nextIdentifier = 0

    /// The `count`-th call of a method, counted from 1; waits for it.
    package func call(_ member: String, _ count: Int = 1) async throws -> Call {
        let same = calls.filter { $0.member == member }
        if same.count >= count { return same[count - 1] }
        nextIdentifier += 1
        let identifier = nextIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiters[identifier] = Waiter(member: member, count: count, continuation: continuation)
                if Task.isCancelled { cancel(identifier) }
            }
        } onCancel: {
            Task { await self.cancel(identifier) }
        }
    }

    func add(_ call: Call) {
        calls.append(call)
        let count = calls.count { $0.member == call.member }
        for (identifier, waiter) in waiters where waiter.member == call.member && waiter.count == count {
            waiters[identifier] = nil
            waiter.continuation.resume(returning: call)
        }
    }

    private func cancel(_ identifier: Int) {
        waiters.removeValue(forKey: identifier)?.continuation.resume(throwing: CancellationError())
    }
}

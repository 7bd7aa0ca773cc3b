/// Continuations that wait for one event.
struct Waiters<Value: Sendable> {
    private var continuations: [UInt64: CheckedContinuation<Value, Never>] = [:]

    mutating func add(_ continuation: CheckedContinuation<Value, Never>, _ identifier: UInt64) {
        continuations[identifier] = continuation
    }

    mutating func resume(_ identifier: UInt64, returning value: Value) {
        continuations.removeValue(forKey: identifier)?.resume(returning: value)
    }

    mutating func resumeAll(returning value: Value) {
        let all = continuations.values
        continuations = [:]
        for continuation in all { continuation.resume(returning: value) }
    }
}

/// The time given to ``withDeadline(_:_:)`` was over first.
struct DeadlineExceeded: Error {}

/// Runs an operation, and cancels it when it takes longer.
///
/// - Throws: The operation's error, or ``DeadlineExceeded``.
func withDeadline<Value: Sendable>(
    _ time: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: time)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else { throw DeadlineExceeded() }
        return value
    }
}

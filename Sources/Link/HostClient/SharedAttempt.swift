package import HostInterface

/// An attempt, such as to connect to the daemon, whose result is for all who need it meanwhile.
package actor SharedAttempt<Value: Sendable> {
    private var task: Task<Value, any Error>?

    package init() {}

    /// Returns the result of the attempt in progress, or of `body` if there is none.
    ///
    /// - Throws: The ``HostError`` of the attempt, `hostUnavailable` for any other error.
    package func value(_ body: @escaping @Sendable () async throws -> Value) async throws(HostError) -> Value {
        let current = task ?? Task { try await body() }
        task = current
        defer { if task == current { task = nil } }
        do {
            return try await current.value
        } catch {
            throw error as? HostError ?? HostError(.hostUnavailable, "\(error)")
        }
    }
}

package import HostInterface

/// An attempt to connect to the daemon that all who need the connection meanwhile wait for.
package actor SharedAttempt {
    private var task: Task<HostClient, any Error>?

    package init() {}

    /// Returns the result of the attempt in progress, or of `connect` if there is none.
    ///
    /// - Throws: The ``HostError`` of the attempt, `hostUnavailable` for any other error.
    package func client(
        _ connect: @escaping @Sendable () async throws -> HostClient
    ) async throws(HostError) -> HostClient {
        let current = task ?? Task { try await connect() }
        task = current
        defer { if task == current { task = nil } }
        do {
            return try await current.value
        } catch {
            throw error as? HostError ?? HostError(.hostUnavailable, "\(error)")
        }
    }
}

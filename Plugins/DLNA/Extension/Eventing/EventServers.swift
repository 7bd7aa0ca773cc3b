import NIOCore

/// The event servers of this process, one for each local address from which a device is reached.
actor EventServers {
    private let group: any EventLoopGroup
    private var servers: [String: Task<EventServer, any Error>] = [:]

    init(group: any EventLoopGroup) { self.group = group }

    /// The server on an address, made at first use.
    ///
    /// - Throws: ``DeviceFailure``
    func server(on address: String) async throws -> EventServer {
        let task = servers[address] ?? Task { [group] in try await EventServer.listening(on: address, group: group) }
        servers[address] = task
        do { return try await task.value } catch {
            // An address that is not there now may be later.
            if servers[address] == task { servers[address] = nil }
            throw error
        }
    }
}

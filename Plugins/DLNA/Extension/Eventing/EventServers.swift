import NIOCore

/// The event servers of this process, one for each local address from which a device is reached.
actor EventServers {
    private let group: any EventLoopGroup
    private var servers: [String: Task<Result<EventServer, DeviceFailure>, Never>] = [:]

    init(group: any EventLoopGroup) {
        self.group = group
    }

    /// The server on an address, made at first use.
    func server(on address: String) async throws(DeviceFailure) -> EventServer {
        let task =
            servers[address]
            ?? Task { [group] () async -> Result<EventServer, DeviceFailure> in
                do throws(DeviceFailure) {
                    return .success(try await EventServer.listening(on: address, group: group))
                } catch {
                    return .failure(error)
                }
            }
        servers[address] = task
        let result = await task.value
        // An address that is not there now may be later.
        if case .failure = result, servers[address] == task { servers[address] = nil }
        return try result.get()
    }

    func close() async {
        for task in servers.values {
            if case .success(let server) = await task.value { await server.close() }
        }
        servers = [:]
    }
}

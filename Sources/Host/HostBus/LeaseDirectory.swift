import DBus
import HostInterface
import Synchronization

/// The discovery leases of clients: their owners, and the state each client has received for its own leases.
final class LeaseDirectory: Sendable {
    /// The most leases of one client; a program needs one for each list that it shows.
    static let limitPerClient = 64

    private struct State {
        var last = 0
        var owners: [String: DBusClient] = [:]
        var paths: [DBusClient: Set<String>] = [:]
        /// The leases by connection, and whether the list of each is complete.
        var told: [Int: [String: Bool]] = [:]
    }

    private let state = Mutex(State())

    /// Notes a new lease.
    ///
    /// - Returns: Its path.
    /// - Throws: ``HostError`` `limit-exceeded` if the client has as many as it may have.
    func begin(_ client: DBusClient) throws(HostError) -> String {
        let path: String? = state.withLock { state in
            guard state.paths[client]?.count ?? 0 < Self.limitPerClient else { return nil }
            state.last += 1
            let path = HostNames.leasesPath + "/\(state.last)"
            state.owners[path] = client
            state.paths[client, default: []].insert(path)
            return path
        }
        guard let path else {
            throw HostError(.limitExceeded, "This program has \(Self.limitPerClient) discovery leases already.")
        }
        return path
    }

    /// - Returns: `true` if the lease existed.
    @discardableResult
    func end(_ path: String, of client: DBusClient) -> Bool {
        state.withLock { state in
            guard state.paths[client]?.remove(path) != nil else { return false }
            if state.paths[client]?.isEmpty == true { state.paths[client] = nil }
            return true
        }
    }

    func paths(of client: DBusClient) -> Set<String> { state.withLock { $0.paths[client] ?? [] } }

    /// Applies the host's changes to leases; the daemon's own leases have no client.
    ///
    /// - Returns: The connections whose ``value(on:)`` changed.
    func apply(_ changes: [String: Bool?]) -> Set<Int> {
        state.withLock { state in
            var connections: Set<Int> = []
            for (path, isSettled) in changes {
                guard let connection = state.owners[path]?.connection else { continue }
                connections.insert(connection)
                state.told[connection, default: [:]][path] = isSettled
                guard isSettled == nil else { continue }
                state.owners[path] = nil
                if state.told[connection]?.isEmpty == true { state.told[connection] = nil }
            }
            return connections
        }
    }

    /// `Leases` as clients of a connection see it: their own.
    func value(on connection: Int) -> DBusValue {
        let told = state.withLock { $0.told[connection] ?? [:] }
        let values = told.map { (DBusValue.objectPath($0.key), DBusValue.boolean($0.value)) }
        return .dictionary(key: "o", value: "b", Dictionary(uniqueKeysWithValues: values))
    }
}

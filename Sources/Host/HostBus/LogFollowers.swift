import DBus
import HostCore
import HostInterface
import Synchronization

/// The clients that follow extensions' logs; other clients get no log lines.
final class LogFollowers: Sendable {
    static let signal = "LogLines"
    /// Sequence number, time in seconds since 1970, level, generation, whether it is the host's remark, text.
    static let lines = "a(tdsubs)"

    private struct Key: Hashable {
        let client: DBusClient
        let path: String
    }

    /// A program that prints without end is read in steps, so that the client and the bus can keep up.
    private static let batch = 500
    private static let pace = Duration.milliseconds(50)

    private let host: MediaHost
    private let server: DBusObjectServer
    private let tasks = Mutex<[Key: Task<Void, Never>]>([:])

    init(host: MediaHost, server: DBusObjectServer) {
        self.host = host
        self.server = server
    }

    /// Sends a client every new line until ``unfollow(_:client:)``, ``forget(_:)`` or the removal of the extension.
    ///
    /// - Returns: The last lines so far. The sent lines follow them.
    func follow(
        _ identifier: String, path: String, client: DBusClient, last count: Int
    ) async throws -> [ExtensionLogLine] {
        // Listening before reading: no line falls in between.
        let news = try await host.logNews(ofExtension: identifier)
        let lines = try await host.log(ofExtension: identifier, last: max(1, count))
        let newest = lines.last?.sequence ?? 0
        let task = Task { await send(identifier, path: path, client: client, after: newest, news: news) }
        let old = tasks.withLock { $0.updateValue(task, forKey: Key(client: client, path: path)) }
        old?.cancel()
        // A client that did not wait may have been forgotten before there was anything to end.
        if await !server.isConnected(client) { forget(client) }
        return count > 0 ? lines : []
    }

    func unfollow(_ path: String, client: DBusClient) {
        tasks.withLock { $0.removeValue(forKey: Key(client: client, path: path)) }?.cancel()
    }

    /// Stops sending lines to a client that has disconnected.
    func forget(_ client: DBusClient) {
        let old = tasks.withLock { tasks in
            let keys = tasks.keys.filter { $0.client == client }
            return keys.compactMap { tasks.removeValue(forKey: $0) }
        }
        for task in old { task.cancel() }
    }

    static func value(_ lines: [ExtensionLogLine]) -> DBusValue {
        .array(
            of: String(Self.lines.dropFirst()),
            lines.map { line in
                .structure([
                    .uint64(line.sequence), .double(line.time), .string(line.level),
                    .uint32(UInt32(clamping: line.generation)), .boolean(line.isFromHost), .string(line.text),
                ])
            })
    }

    private func send(
        _ identifier: String, path: String, client: DBusClient, after sequence: UInt64, news: AsyncStream<Void>
    ) async {
        var sequence = sequence
        for await _ in news {
            while !Task.isCancelled {
                let batch = await host.log(ofExtension: identifier, after: sequence, count: Self.batch)
                guard let last = batch.lines.last else { break }
                sequence = last.sequence
                await server.emitSignal(
                    path: path, interface: HostNames.extensionInterface, member: Self.signal,
                    [Self.value(batch.lines), .uint64(batch.skipped)], to: client)
                try? await Task.sleep(for: Self.pace)
            }
        }
    }
}

import DBus
package import HostInterface

extension HostClient {
    /// The time limit for the daemon's answer, longer than an extension may take to exit and start.
    private static let patience = Duration.seconds(30)

    /// Enables an extension permanently.
    ///
    /// - Parameter path: The path of the extension's object.
    package func enableExtension(_ path: String) async throws(HostError) { try await `extension`(path, "Enable") }

    /// Disables an extension permanently, and returns after its process has exited.
    package func disableExtension(_ path: String) async throws(HostError) { try await `extension`(path, "Disable") }

    /// Replaces an extension's process, and returns when the new one runs or none is needed.
    package func reloadExtension(_ path: String) async throws(HostError) { try await `extension`(path, "Reload") }

    /// Returns the resource usage of an extension's process; `nil` if none runs.
    package func usage(of path: String) async throws(HostError) -> ClientExtension.Usage? {
        let reply = try await call(path, interface: HostNames.extensionInterface, "Usage")
        return reply.first?.asDictionary.flatMap(ClientExtension.Usage.init)
    }

    /// Returns the last lines of an extension's log, oldest first.
    package func log(of path: String, last count: Int) async throws(HostError) -> [ClientLogLine] {
        try await lines(path, "Log", count)
    }

    /// Returns the last lines of an extension's log, and the following ones as long as this client is connected.
    package func followLog(
        of path: String, last count: Int
    ) async throws(HostError) -> (lines: [ClientLogLine], news: AsyncStream<ClientLogBatch>) {
        let signals: AsyncStream<DBusSignal>
        do throws(DBusError) {
            signals = try await connection.signals(
                path: path, interface: HostNames.extensionInterface, member: "LogLines")
        } catch {
            throw HostError(error)
        }
        let lines = try await lines(path, "FollowLog", count)
        // Unbounded: the daemon sends a few batches a second at most.
        let (news, continuation) = AsyncStream.makeStream(of: ClientLogBatch.self)
        let task = Task {
            for await signal in signals {
                if let batch = ClientLogBatch(signal.arguments) { continuation.yield(batch) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return (lines, news)
    }

    private func lines(_ path: String, _ member: String, _ count: Int) async throws(HostError) -> [ClientLogLine] {
        let reply = try await call(
            path, interface: HostNames.extensionInterface, member, [.uint32(UInt32(clamping: count))])
        return reply.first?.asArray?.compactMap(ClientLogLine.init) ?? []
    }

    /// Returns the installed extensions. Unlike ``events()`` the list is current.
    package func extensions() async throws(HostError) -> [ClientExtension] {
        let objects = try await call(
            HostNames.rootPath, interface: "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        var mirror = ObjectMirror()
        return mirror.load(objects).compactMap { event in
            if case .extension(let status) = event { status } else { nil }
        }
    }

    private func `extension`(_ path: String, _ member: String) async throws(HostError) {
        try await call(path, interface: HostNames.extensionInterface, member, timeout: Self.patience)
    }
}

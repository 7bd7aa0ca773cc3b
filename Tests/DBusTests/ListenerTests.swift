import DBus
import Glibc
import Testing

@Suite("Listener", .timeLimit(.minutes(1)))
struct ListenerTests {
    private let loop = DBusLoop(label: "listener")

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func client(_ path: String) async throws -> DBusConnection {
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await client.open(address: "unix:path=\(path)")
        return client
    }

    @Test func theSocketIsForThisUserOnly() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let listener = try await DBusListener(path: path, loop: loop)
        #expect(mode(path) == 0o600)
        await listener.close()
        #expect(mode(path) == 0)
        folder.remove()
    }

    @Test func aSecondOneAtTheSamePathIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let first = try await DBusListener(path: path, loop: loop)
        let error = await #expect(throws: DBusError.self) { try await DBusListener(path: path, loop: loop) }
        #expect(error?.name == DBusError.Name.addressInUse)
        // And the first is unharmed.
        let client = try await client(path)
        var accepted = first.connections.makeAsyncIterator()
        let server = try #require(await accepted.next())
        #expect(await server.peerCredentials?.processID == getpid())
        try await server.start()
        try await client.ready()
        #expect(await client.uniqueName?.hasPrefix(":1.") == true)
        await client.close()
        await server.waitUntilClosed()
        await first.close()
        folder.remove()
    }

    @Test func oneProcessHasABoundedNumberOfConnections() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let (refusals, refusal) = AsyncStream.makeStream(of: DBusListener.Refusal.self)
        let listener = try await DBusListener(
            path: path, loop: loop, limits: .init(total: 8, perProcess: 2), onRefused: { refusal.yield($0) })
        var accepted = listener.connections.makeAsyncIterator()
        var refused = refusals.makeAsyncIterator()
        let first = try await client(path)
        let server = try #require(await accepted.next())
        try await server.start()
        let second = try await client(path)
        _ = try #require(await accepted.next())
        // It may be refused before it knows that it is connected.
        let third = try? await client(path)
        guard case .tooMany(let process)? = await refused.next() else {
            Issue.record("the third was not refused")
            return
        }
        #expect(process.processID == getpid())
        await third?.waitUntilClosed()
        // A closed connection makes room for another.
        await first.close()
        await server.waitUntilClosed()
        let fourth = try await client(path)
        #expect(await accepted.next() != nil)
        for client in [second, fourth] { await client.abort() }
        await listener.close()
        folder.remove()
    }

    @Test func allProcessesTogetherHaveABoundedNumber() {
        let limits = DBusListener.Limits()
        #expect(limits.perProcess < limits.total && limits.total <= 4_096)
        #expect(DBusListener.Limits(total: .max).total < 1 << 20)
    }

    @Test func oneOfManyWinsTheRaceForAStaleSocket() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        try leaveStaleSocket(path)
        let listeners = await withTaskGroup(of: DBusListener?.self) { group in
            for _ in 0..<8 { group.addTask { [loop] in try? await DBusListener(path: path, loop: loop) } }
            return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        #expect(listeners.count == 1)
        let client = try await client(path)
        var accepted = listeners[0].connections.makeAsyncIterator()
        #expect(await accepted.next() != nil)
        await client.abort()
        await listeners[0].close()
        folder.remove()
    }

    @Test func onlyASocketIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        let error = await #expect(throws: DBusError.self) { try await DBusListener(path: path, loop: loop) }
        #expect(error?.name == DBusError.Name.addressInUse)
        #expect(mode(path) == 0o600)
        folder.remove()
    }

    @Test(arguments: [String(repeating: "x", count: 108), "missing/socket"])
    func aPathThatCannotBeIsRefused(name: String) async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: DBusError.self) { try await DBusListener(path: "\(folder.path)/\(name)", loop: loop) }
        folder.remove()
    }

    @Test func aPathSomebodyElseTookOverStays() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let first = try await DBusListener(path: path, loop: loop)
        unlink(path)
        let second = try await DBusListener(path: path, loop: loop)
        await first.close()
        #expect(mode(path) == 0o600)
        await second.close()
        #expect(mode(path) == 0)
        folder.remove()
    }

    @Test func connectingToNobodyIsDisconnected() async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: DBusError.self) { try await client(folder.path + "/none") }
        #expect(error?.name == DBusError.Name.disconnected)
        folder.remove()
    }

    @Test func aPassedSocketServesAndKeepsItsPath() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let descriptor = try listeningSocket(path)
        let listener = try await DBusListener(listeningFileDescriptor: descriptor, loop: loop)
        let client = try await client(path)
        var accepted = listener.connections.makeAsyncIterator()
        let server = try #require(await accepted.next())
        try await server.start()
        try await client.ready()
        await client.close()
        await server.waitUntilClosed()
        await listener.close()
        #expect(mode(path) != 0)
        folder.remove()
        await #expect(throws: DBusError.self) { try await DBusListener(listeningFileDescriptor: -1, loop: loop) }
        let (first, second) = try socketPair()
        await #expect(throws: DBusError.self) { try await DBusListener(listeningFileDescriptor: first, loop: loop) }
        close(second)
    }

    @Test(.enabled(if: getuid() == 0 && executable("setpriv") != nil, "needs another user"))
    func anotherUserIsRefused() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let (refusals, feed) = AsyncStream.makeStream(of: DBusListener.Refusal.self)
        let listener = try await DBusListener(path: path, loop: loop) { feed.yield($0) }
        // Disabled for this test: only the check of the peer remains.
        chmod(folder.path, 0o755)
        chmod(path, 0o666)
        let setpriv = try #require(executable("setpriv"))
        let busctl = try #require(executable("busctl"))
        let result = try await run(
            setpriv,
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", busctl, "--address=unix:path=\(path)", "tree",
                "org.example",
            ])
        #expect(result.status != 0)
        var iterator = refusals.makeAsyncIterator()
        guard case .foreignUser(let credentials)? = await iterator.next() else {
            Issue.record("nobody was refused")
            return
        }
        #expect(credentials.userID == 65534)
        await listener.close()
        folder.remove()
    }

    private func leaveStaleSocket(_ path: String) throws { close(try listeningSocket(path)) }

    private func listeningSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 8) == 0)
        return descriptor
    }
}

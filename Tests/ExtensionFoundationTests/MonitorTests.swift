import DBus
import HostClient
import HostInterface
import Observation
import ScriptedDaemon
import Synchronization
import Testing

@testable import ExtensionFoundation

@Suite("AppExtensionPoint.Monitor", .timeLimit(.minutes(1)))
struct MonitorTests {
    private static let point = "com.example.point"

    private final class Socket: Sendable {
        private let value: Mutex<String>
        init(_ path: String) { value = Mutex(path) }
        var path: String { value.withLock { $0 } }
        func move(to path: String) { value.withLock { $0 = path } }
    }

    private func monitor(_ socket: Socket) -> AppExtensionPoint.Monitor {
        AppExtensionPoint.Monitor(
            source: ExtensionListSource { () async throws(HostError) in
                try await HostClient.connect(to: socket.path, launching: false)
            })
    }

    private func add(_ name: String, to daemon: ScriptedDaemon, point: String = point, state: String = "idle")
        async throws
    {
        try await daemon.addExtension(
            name, protocol: "", state: state, ["ExtensionPoint": .string(point), "Name": .string(name.uppercased())])
    }

    private func becomes(
        _ monitor: AppExtensionPoint.Monitor, _ condition: (AppExtensionPoint.Monitor.State) -> Bool
    ) async {
        while !condition(monitor.state) { await Task.yield() }
    }

    @Test("it has what is installed for its points, and follows what changes")
    func follows() async throws {
        let daemon = try await ScriptedDaemon()
        try await add("b", to: daemon)
        try await add("a", to: daemon, state: "crashed")
        try await add("c", to: daemon, state: "disabled")
        try await add("d", to: daemon, state: "quarantined")
        try await add("e", to: daemon, point: "com.example.other")
        let monitor = monitor(Socket(daemon.socket))
        #expect(monitor.state == .init())
        try await monitor.addAppExtensionPoint(AppExtensionPoint(identifier: Self.point))
        #expect(monitor.identities.map(\.bundleIdentifier) == ["a", "b"])
        #expect(monitor.identities.map(\.localizedName) == ["A", "B"])
        #expect(monitor.state.disabledCount == 1 && monitor.state.unapprovedCount == 1)

        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = monitor.identities
        } onChange: {
            continuation.yield()
        }
        await daemon.update(
            path: HostNames.extensionPath("c"), interface: HostNames.extensionInterface, ["State": .string("idle")])
        await becomes(monitor) { $0.identities.map(\.id) == ["a", "b", "c"] && $0.disabledCount == 0 }
        for await _ in changes { break }
        await daemon.remove(HostNames.extensionPath("a"))
        await becomes(monitor) { $0.identities.map(\.id) == ["b", "c"] }

        try await monitor.addAppExtensionPoint(AppExtensionPoint(identifier: "com.example.other"))
        #expect(monitor.identities.map(\.id) == ["b", "c", "e"])
        try await monitor.removeAppExtensionPoint(AppExtensionPoint(identifier: Self.point))
        #expect(monitor.identities.map(\.id) == ["e"] && monitor.state.unapprovedCount == 0)
        await daemon.close()
    }

    @Test("it goes on with the next daemon")
    func reconnects() async throws {
        let first = try await ScriptedDaemon()
        try await add("a", to: first)
        let socket = Socket(first.socket)
        let monitor = monitor(socket)
        try await monitor.addAppExtensionPoint(AppExtensionPoint(identifier: Self.point))
        let second = try await ScriptedDaemon()
        try await add("b", to: second)
        socket.move(to: second.socket)
        await first.close()
        await becomes(monitor) { $0.identities.map(\.id) == ["b"] }
        await second.close()
    }

    @Test("without a daemon it says so, and what is no name is refused")
    func refused() async throws {
        let monitor = monitor(Socket("/nonexistent"))
        await #expect(throws: AppExtensionError.self) {
            try await monitor.addAppExtensionPoint(AppExtensionPoint(identifier: Self.point))
        }
        for text in ["", "word", "a..b", "a b.c", ".a"] {
            #expect(throws: AppExtensionError.invalidIdentifier(text)) { try AppExtensionPoint(identifier: text) }
        }
        #expect(try AppExtensionPoint(identifier: "com.example.a-b").identifier?.rawValue == "com.example.a-b")
    }
}

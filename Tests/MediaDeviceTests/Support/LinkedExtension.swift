import DBus
import Foundation
import HostInterface
import MediaDevice

typealias LinkedExtension = ExtensionLink<SampleExtension>

/// An extension and a host, linked by a socket pair in this process.
@MainActor
final class ExtensionLink<Extension: MediaDeviceExtension> {
    let host: HostEnd
    let `extension`: Extension
    let runtime: ExtensionRuntime
    let connection: DBusConnection
    private let running: Task<Result<Void, any Error>, Never>
    private var calls: AsyncStream<HostEnd.Call>.Iterator

    /// - Parameter prepare: Runs before the extension says hello.
    init(
        welcome: [String: DBusValue] = HostEnd.welcome, prepare: @MainActor (Extension) -> Void = { _ in }
    ) async throws {
        host = try await HostEnd(welcome: welcome)
        connection = DBusConnection(loop: DBusLoop(label: "test.extension"))
        try await connection.openPeer(fileDescriptor: host.extensionDescriptor, role: .client)
        let `extension` = Extension()
        prepare(`extension`)
        let runtime = ExtensionRuntime(connection: connection)
        self.extension = `extension`
        self.runtime = runtime
        calls = host.calls.makeAsyncIterator()
        running = Task {
            do {
                return .success(try await runtime.run { `extension` })
            } catch {
                return .failure(error)
            }
        }
    }

    /// As `init`, and waits for the extension's hello.
    static func greeted(prepare: @MainActor (Extension) -> Void = { _ in }) async throws -> ExtensionLink {
        let link = try await ExtensionLink(prepare: prepare)
        for await _ in link.host.greetings { return link }
        throw DBusError(name: DBusError.Name.disconnected, message: "no hello")
    }

    var manager: MediaDeviceRoutingManager { .routingManager(for: `extension`) }

    /// The extension's next call, in wire order.
    func next() async throws -> HostEnd.Call {
        // An iterator cannot be advanced in place across a suspension.
        var calls = calls
        guard let call = await calls.next(isolation: #isolation) else {
            throw DBusError(name: DBusError.Name.disconnected, message: "the link ended")
        }
        return call
    }

    /// Waits for the end of the extension's side, and throws its error.
    func ended() async throws { try await running.value.get() }

    /// Activates the sample device as the host does.
    @discardableResult
    func activate(
        _ device: MediaOutputDevice = .sample(), session: String = "s1", credential: [UInt8] = []
    ) async throws -> [DBusValue] {
        try await host.call(
            "ActivateDevice",
            [
                try DBusDictionaryEncoder().encode(device.onLink), .string(session), .int64(4), .bytes(credential),
            ])
    }

    /// Starts a session as the host does.
    func startSession(_ session: String = "s1", information: MediaInformation = MediaInformation()) async throws {
        try await host.call(
            "StartSession",
            [
                .string(session), .string(""), .string("http://127.0.0.1/film.mp4"),
                try DBusDictionaryEncoder().encode(information),
            ])
    }
}

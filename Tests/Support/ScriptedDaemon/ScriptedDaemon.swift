package import DBus
package import Foundation
package import HostInterface

/// The daemon's bus surface without a daemon: a test decides on its objects and answers.
///
/// It listens on a socket in a folder of its own. Every call is kept in ``log``; calls without a script are answered
/// with success.
package actor ScriptedDaemon {
    /// The answer to a call.
    package typealias Script = @Sendable ([DBusValue]) async throws -> [DBusValue]

    package nonisolated let socket: String
    package nonisolated let log = CallLog()

    private let folder: String
    private let server: DBusObjectServer
    private let listener: DBusListener
    private var connections: [DBusConnection] = []
    private var accepting: Task<Void, Never>?
    private var scripts: [String: Script] = [:]

    package init() async throws {
        folder = NSTemporaryDirectory() + "mdhost-daemon-" + UUID().uuidString
        socket = folder + "/socket"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let loop = DBusLoop(label: "org.mdhost.tests.daemon")
        server = DBusObjectServer(loop: loop, objectManagerPath: HostNames.rootPath)
        listener = try await DBusListener(path: socket, loop: loop)
        try await server.add(path: HostNames.rootPath, [(managerInterface(), Self.managerValues)])
        try await server.add(path: HostNames.nowPlayingPath, [(nowPlayingInterface(), [:])])
        // The session every app gets.
        try await server.add(path: HostNames.mediaSessionPath("app1"), [(mediaInterface(), [:])])
        accepting = Task { [weak self, listener] in
            for await connection in listener.connections { await self?.serve(connection) }
        }
    }

    /// Ends every connection and removes the socket, as a daemon that leaves does.
    package func close() async {
        await listener.close()
        for connection in connections { await connection.close() }
        for connection in connections { await connection.waitUntilClosed() }
        accepting?.cancel()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func serve(_ connection: DBusConnection) async {
        connections.append(connection)
        try? await server.attach(connection)
    }

    // MARK: Objects

    package func addDevice(_ id: String, name: String, _ changes: [String: DBusValue] = [:]) async throws {
        let values = Self.deviceValues(id, name).merging(changes) { _, new in new }
        try await server.add(path: HostNames.devicePath(id), [(deviceInterface(), values)])
    }

    package func addSession(_ id: String, device: String, _ playback: PlaybackState = PlaybackState()) async throws {
        try await server.add(
            path: HostNames.sessionPath(id), [(sessionInterface(), try Self.sessionValues(id, device, playback))])
    }

    package func addExtension(
        _ name: String, protocol identifier: String, state: String = "idle",
        point: String = "com.apple.media-device-extension", _ changes: [String: DBusValue] = [:]
    ) async throws {
        let values = Self.extensionValues(name, identifier, state, point).merging(changes) { _, new in new }
        try await server.add(path: HostNames.extensionPath(name), [(Self.extensionInterface, values)])
    }

    package func update(session id: String, _ playback: PlaybackState) async throws {
        await server.update(
            path: HostNames.sessionPath(id), interface: HostNames.sessionInterface,
            ["Playback": try DBusDictionaryEncoder().encode(playback)])
    }

    package func update(path: String, interface: String, _ values: [String: DBusValue]) async {
        await server.update(path: path, interface: interface, values)
    }

    package func remove(_ path: String) async { await server.remove(path: path) }

    package func emitData(_ data: Data, path: String, interface: String) async {
        await server.emitSignal(
            path: path, interface: interface, member: "DataReceived", [.bytes([UInt8](data))])
    }

    // MARK: Calls

    /// Answers every later call of a method by `script`; a thrown error is the error reply.
    package func answer(_ member: String, _ script: @escaping Script) { scripts[member] = script }

    /// Sends an event to the app that registered last, as the daemon does.
    ///
    /// - Returns: Whether it handled the event.
    package func tell(_ reason: String, device id: String, _ route: [String: DBusValue]) async throws -> Bool? {
        try await answer(to: reason, device: id, route).first?.asBool
    }

    /// The whole answer to ``tell(_:device:_:)``.
    package func answer(
        to reason: String, device id: String, _ route: [String: DBusValue]
    ) async throws -> [DBusValue] {
        let registration = try await log.call("RegisterApplication")
        return try await server.call(
            registration.client, path: registration.arguments[0].asString ?? "", interface: HostNames.observerInterface,
            member: "HandleEvent",
            [
                .string(reason), .objectPath(HostNames.devicePath(id)),
                .dictionary(
                    key: "s", value: "v",
                    Dictionary(uniqueKeysWithValues: route.map { (.string($0.key), DBusValue.variant($0.value)) })),
            ], timeout: .seconds(30))
    }

    /// Calls a method of the session the app registered last, as the daemon does.
    package func callHandler(_ member: String, _ arguments: [DBusValue]) async throws -> [DBusValue] {
        let calls = await log.calls.filter { $0.member == "RegisterSession" }
        let registration = if let last = calls.last { last } else { try await log.call("RegisterSession") }
        return try await server.call(
            registration.client, path: registration.arguments[0].asString ?? "",
            interface: HostNames.mediaHandlerInterface, member: member, arguments, timeout: .seconds(30))
    }

    func perform(_ call: DBusMethodCall, otherwise reply: [DBusValue]) async throws -> [DBusValue] {
        let script = scripts[call.member]
        await log.add(
            CallLog.Call(path: call.path, member: call.member, arguments: call.arguments, client: call.client))
        return try await script?(call.arguments) ?? reply
    }
}

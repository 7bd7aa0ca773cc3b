import AVKit
import DBus
import Foundation
import HostClient
import HostInterface
import PlaybackMirroring
import Synchronization
import TypeIdentifiers

/// This process's connection to the daemon. It is made on first use, and again after the daemon exits.
actor RoutingService {
    /// The object path of this app's observer on the connection.
    private static let observerPath = "/org/mdhost/client/application"

    /// The delay before each attempt. The second attempt follows at once, because it succeeds if the daemon was just
    /// exiting.
    static let usualDelays: [Duration] = [.zero, .zero] + [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) }

    /// The `EXExtensionPointIdentifier` of extensions that discover devices.
    private static let mediaDevicePoint = "com.apple.media-device-extension"
    private static let unusableStates: Set = ["invalid-manifest", "disabled", "load-failed"]

    private let information: ProgramInformation
    private let makeClient: @Sendable () async throws(HostError) -> HostClient
    private let retryDelays: [Duration]
    /// A Boolean value that indicates whether all attempts of the last series failed.
    private let hasGivenUp = Mutex(false)
    private let handler = Mutex<(@Sendable (AVSystemRouteEvent) async -> Bool)?>(nil)
    private var client: HostClient?
    /// The server of this app's observer object on ``client``.
    private var server: DBusObjectServer?
    private var connecting: Task<HostClient, any Error>?
    private var routes: [String: AVSystemRoute] = [:]
    private var sessions: [String: ClientSession] = [:]
    private var controls: [String: MirroredPlaybackControl] = [:]
    private var commands: [String: AsyncStream<PlaybackCommand>.Continuation] = [:]
    /// The number of sessions that are starting; ``ended`` has the errors of sessions that ended meanwhile.
    private var starting = 0
    private var ended: [String: HostError?] = [:]
    private var channels: [String: AVSystemRoute.DataChannel] = [:]
    private var extensions: [String: ClientExtension] = [:]
    private var watching: [Task<Void, Never>] = []

    /// Creates a service that isn't connected yet.
    ///
    /// - Parameters:
    ///   - information: The app's declarations.
    ///   - retryDelays: The delay before each attempt to connect.
    ///   - connect: A function that connects to the daemon and starts it if necessary.
    init(
        information: ProgramInformation = .current, retryDelays: [Duration] = RoutingService.usualDelays,
        connect: @escaping @Sendable () async throws(HostError) -> HostClient = { () async throws(HostError) in
            try await HostClient.connect()
        }
    ) {
        self.information = information
        self.retryDelays = retryDelays
        makeClient = connect
    }

    /// Sets the handler of events. Call it before ``start()``.
    nonisolated func setHandler(_ handler: @escaping @Sendable (AVSystemRouteEvent) async -> Bool) {
        self.handler.withLock { $0 = handler }
    }

    /// Connects and registers this app with the daemon, in the background. After half a minute of failed attempts, it
    /// gives up until the app uses the service again.
    nonisolated func start() {
        let delays = retryDelays
        Task { [weak self] in
            for delay in delays {
                try? await Task.sleep(for: delay)
                guard let self, (try? await self.connected()) == nil else { return }
            }
            await self?.giveUp()
        }
    }

    /// A Boolean value that indicates whether route events can arrive.
    nonisolated var isAvailable: Bool { isDeclared && !hasGivenUp.withLock { $0 } }

    nonisolated private var isDeclared: Bool {
        !information.supportedProtocols.isEmpty || information.supportsUniversalURLPlayback
    }

    /// A Boolean value that indicates whether a matching extension is installed. It waits up to two seconds for the daemon,
    /// because the SDK's property is synchronous.
    nonisolated var supportedExtensionAvailable: Bool {
        guard isDeclared else { return false }
        let done = DispatchSemaphore(value: 0)
        let answer = AnswerBox()
        Task {
            answer.value.store((try? await self.hasExtension()) ?? false, ordering: .releasing)
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(2))
        return answer.value.load(ordering: .acquiring)
    }

    func start(
        _ url: URL, _ mode: AVSystemRoute.LaunchMode, on route: AVSystemRoute
    ) async throws -> AVSystemRouteMediaSession {
        var application: String?
        // The counterpart speaks one protocol; where the device is reached by several, it is by this one.
        var way: String?
        switch mode {
        case .application:
            guard let identifier = information.supportedProtocols[route.protocolType.identifier] else {
                throw AVSystemRoutingError(
                    HostError(
                        .notSupported,
                        "Add \(route.protocolType.identifier) to MDESupportedProtocols in the Info.plist."))
            }
            // An empty value: its counterpart is called as the app itself.
            let own = information.bundleIdentifier ?? ProcessInfo.processInfo.processName
            application = identifier.isEmpty ? own : identifier
            way = route.protocolType.identifier
        case .player:
            guard information.supportsUniversalURLPlayback else {
                throw AVSystemRoutingError(
                    HostError(.notSupported, "Set MDESupportsUniversalURLPlayback in the Info.plist."))
            }
        }
        starting += 1
        defer {
            starting -= 1
            if starting == 0 { ended = [:] }
        }
        do {
            let path = try await connected().play(url, on: route.path, application: application, via: way)
            return await mediaSession(at: path, hasChannel: mode == .application)
        } catch {
            throw Self.routingError(error)
        }
    }

    nonisolated func stop(_ path: String) {
        Task { try? await self.connected().stop(path) }
    }

    func send(_ data: Data, to channel: AVSystemRoute.DataChannel) async throws {
        do {
            channels[channel.path] = channel
            try await connected().call(
                channel.path, interface: channel.interface, "SendData", [.bytes([UInt8](data))])
        } catch {
            throw Self.routingError(error)
        }
    }

    private func hasExtension() async throws -> Bool {
        _ = try await connected()
        return extensions.values.contains { status in
            guard status.extensionPoint == Self.mediaDevicePoint, !Self.unusableStates.contains(status.state) else {
                return false
            }
            return information.supportsUniversalURLPlayback || information.supportedProtocols[status.protocol] != nil
        }
    }

    private func mediaSession(at path: String, hasChannel: Bool) async -> AVSystemRouteMediaSession {
        let channel =
            hasChannel
            ? AVSystemRoute.DataChannel(path: path, interface: HostNames.sessionInterface, service: self) : nil
        channels[path] = channel
        let state = sessions[path]?.playback ?? PlaybackState()
        // Unbounded: writes of a person, or of an app that means them.
        let (stream, commands) = AsyncStream.makeStream(of: PlaybackCommand.self)
        let control = await MainActor.run { MirroredPlaybackControl(state) { commands.yield($0) } }
        controls[path] = control
        self.commands[path] = commands
        // One after the other: the order of the app's writes is the order at the device.
        Task { [weak self] in
            for await command in stream { await self?.send(command, session: path) }
        }
        // What came while the control was made.
        if let now = sessions[path]?.playback, now != state { await control.update(now) }
        if let error = ended.removeValue(forKey: path) { await end(path, error: error) }
        return AVSystemRouteMediaSession(path: path, control: control, dataChannel: channel, service: self)
    }

    private func send(_ command: PlaybackCommand, session path: String) async {
        do {
            try await connected().command(command, session: path)
            await controls[path]?.commandSucceeded()
        } catch {
            await controls[path]?.commandFailed(HostError(describing: error, otherwise: .commandFailed))
        }
    }

    private func connected() async throws -> HostClient {
        if let client { return client }
        if let connecting { return try await connecting.value }
        let task = Task { try await self.connect() }
        connecting = task
        defer { connecting = nil }
        return try await task.value
    }

    private func connect() async throws -> HostClient {
        let client = try await makeClient()
        let data = try await client.connection.signals(member: "DataReceived")
        let events = try await client.events()
        for await event in events {
            apply(event)
            if event == .ready { break }
        }
        try await register(on: client)
        self.client = client
        hasGivenUp.withLock { $0 = false }
        await resume()
        watching = [
            Task { [weak self] in
                for await event in events { await self?.follow(event) }
                await self?.disconnected()
            },
            Task { [weak self] in
                for await signal in data { await self?.receive(signal) }
            },
        ]
        return client
    }

    private func disconnected() async {
        client = nil
        for task in watching { task.cancel() }
        watching = []
        sessions = [:]
        extensions = [:]
        // What plays goes on playing, and the next daemon knows of it.
        start()
    }

    /// Matches running playback with the sessions of a new daemon, and ends the controls of sessions it doesn't have.
    private func resume() async {
        for (path, control) in controls {
            if let session = sessions[path] {
                await show(session, on: control)
            } else {
                await end(path, error: HostError(.hostUnavailable, "The daemon went away, and what played with it."))
            }
        }
    }

    /// Updates the control of a session. A session that is reconnecting keeps its last state, because the new daemon
    /// hasn't discovered the device yet.
    private func show(_ session: ClientSession, on control: MirroredPlaybackControl) async {
        guard session.state != "reconnecting" else { return }
        await control.update(session.playback)
    }

    /// Ends all sessions and routes, because no daemon is reachable.
    private func giveUp() async {
        guard client == nil else { return }
        hasGivenUp.withLock { $0 = true }
        for path in Array(controls.keys) {
            await end(path, error: HostError(.hostUnavailable, "The daemon went away."))
        }
        for route in routes.values where route.isActive { _ = await tell(.deactivate, route) }
    }

    /// Reports an event to the observers: each activation once and each deactivation once.
    private func tell(_ reason: AVSystemRouteEvent.Reason, _ route: AVSystemRoute) async -> Bool {
        guard route.isActive != (reason == .activate) else { return true }
        route.isActive = reason == .activate
        let isHandled = await handler.withLock { $0 }?(AVSystemRouteEvent(reason: reason, route: route)) ?? false
        if reason == .activate, !isHandled { route.isActive = false }
        return isHandled
    }

    private func follow(_ event: HostEvent) async {
        apply(event)
        switch event {
        case .session(let session):
            if let control = controls[session.path] { await show(session, on: control) }
        case .sessionRemoved(let session): await end(session.path, error: session.error)
        default: break
        }
    }

    private func apply(_ event: HostEvent) {
        switch event {
        case .session(let session): sessions[session.path] = session
        case .sessionRemoved(let session): sessions[session.path] = nil
        case .extension(let status): extensions[status.id] = status
        case .extensionRemoved(let status): extensions[status.id] = nil
        default: break
        }
    }

    private func end(_ path: String, error: HostError?) async {
        channels[path] = nil
        commands.removeValue(forKey: path)?.finish()
        guard let control = controls.removeValue(forKey: path) else {
            if starting > 0 { ended[path] = .some(error) }
            return
        }
        await MainActor.run {
            var state = control.deviceState
            let now = CMClock.hostTimeClock.time.seconds
            state.isPlaying = false
            state.position = .init(value: state.position(at: now), hostTime: now, rate: 0)
            state.error = error
            control.update(state)
        }
    }

    private func receive(_ signal: DBusSignal) {
        guard let bytes = signal.arguments.first?.asBytes else { return }
        let channel = channels[signal.path] ?? routes[signal.path]?.routeDataChannel
        channel?.deliver(Data(bytes))
    }

    private func register(on client: HostClient) async throws {
        let server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: "/org/mdhost/client")
        let handle = DBusMethod.async(
            "HandleEvent", in: [("reason", "s"), ("device", "o"), ("route", "a{sv}")], out: [("handled", "b")]
        ) { [weak self] call in
            guard let self else { return [.boolean(false)] }
            return [.boolean(await self.take(call.arguments))]
        }
        try await server.add(
            path: Self.observerPath, [(DBusInterface(HostNames.observerInterface, methods: [handle]), [:])])
        try await server.attach(client.connection)
        self.server = server
        let name = ProcessInfo.processInfo.processName
        var declaration: [String: DBusValue] = [
            "identifier": .string(information.bundleIdentifier ?? name),
            "name": .string(information.displayName ?? name),
            "protocols": .array(of: "s", information.supportedProtocols.keys.sorted().map(DBusValue.string)),
            "universalURLPlayback": .boolean(information.supportsUniversalURLPlayback),
        ]
        let held = routes.values.filter(\.isActive).map { DBusValue.objectPath($0.path) }
        if !held.isEmpty { declaration["routes"] = .array(of: "o", held) }
        try await client.call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RegisterApplication",
            [.objectPath(Self.observerPath), .options(declaration)])
    }

    private func take(_ arguments: [DBusValue]) async -> Bool {
        guard arguments.count == 3, let reason = arguments[0].asString, let path = arguments[1].asString,
            let description = arguments[2].asDictionary, let name = description["name"]?.asString
        else { return false }
        let route =
            routes[path]
            ?? AVSystemRoute(
                path: path, name: name, type: description["type"]?.asString ?? "tv",
                protocolType: UTType(importedAs: description["protocol"]?.asString ?? "public.media-sharing-protocol"),
                service: self)
        routes[path] = route
        return await tell(reason == "activate" ? .activate : .deactivate, route)
    }

    private static func routingError(_ error: any Error) -> AVSystemRoutingError {
        (error as? AVSystemRoutingError) ?? (error as? HostError).map(AVSystemRoutingError.init)
            ?? AVSystemRoutingError(.connectionFailed)
    }
}

/// The answer of a task that can outlive its caller.
private final class AnswerBox: Sendable {
    let value = Atomic(false)
}

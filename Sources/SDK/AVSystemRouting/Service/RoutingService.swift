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
    /// Before each try. The second is at once: a daemon that was just leaving settles that.
    static let usualDelays: [Duration] = [.zero, .zero] + [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) }

    /// The `EXExtensionPointIdentifier` of extensions that discover devices.
    private static let mediaDevicePoint = "com.apple.media-device-extension"
    private static let unusableStates: Set = ["invalid-manifest", "disabled", "load-failed"]

    let information: ProgramInformation
    private let makeClient: @Sendable () async throws(HostError) -> HostClient
    let retryDelays: [Duration]
    /// Every try of the last series failed.
    private let hasGivenUp = Mutex(false)
    private let handler = Mutex<(@Sendable (AVSystemRouteEvent) async -> Bool)?>(nil)
    var client: HostClient?
    /// Carries this app's observer object on ``client``.
    var server: DBusObjectServer?
    private let connecting = SharedAttempt<HostClient>()
    var routes: [String: AVSystemRoute] = [:]
    var sessions: [String: ClientSession] = [:]
    var controls: [String: MirroredPlaybackControl] = [:]
    var commands: [String: AsyncStream<PlaybackCommand>.Continuation] = [:]
    /// The number of starts that wait for the daemon's answer, and the reasons for sessions that ended meanwhile.
    var starting = 0
    var ended: [String: HostError?] = [:]
    var channels: [String: AVSystemRoute.DataChannel] = [:]
    /// Takes data from ``client`` in the order on the wire.
    var inbox: AsyncStream<InboundData>.Continuation?
    private var extensions: [String: ClientExtension] = [:]
    private var watching: Task<Void, Never>?
    /// The problems while an event of the route is handled, by object path of the device; no entry without an event.
    var problems: [String: [String]] = [:]
    /// The apps that play on devices, by object path: others cannot begin there.
    let occupants = Mutex<[String: Occupant]>([:])

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

    nonisolated func stop(_ path: String) {
        Task { try? await self.connected().stop(path) }
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

    func send(_ command: PlaybackCommand, session path: String) async {
        do {
            try await connected().command(command, session: path)
            await controls[path]?.commandSucceeded()
        } catch {
            await controls[path]?.commandFailed(HostError(describing: error, otherwise: .commandFailed))
        }
    }

    func connected() async throws -> HostClient {
        if let client { return client }
        return try await connecting.value { try await self.connect() }
    }

    private func connect() async throws -> HostClient {
        let client = try await makeClient()
        let (data, inbox) = AsyncStream.makeStream(of: InboundData.self)
        try await client.connection.forward(
            member: "DataReceived", to: { inbox.yield(.signal($0)) }, ended: { inbox.finish() })
        let events = try await client.events()
        for await event in events {
            apply(event)
            if event == .ready { break }
        }
        try await register(on: client)
        self.client = client
        self.inbox = inbox
        hasGivenUp.withLock { $0 = false }
        await resume()
        watching = Task { [weak self] in
            for await event in events { await self?.follow(event) }
            await self?.disconnected(from: client)
        }
        // Ends with the connection, after what has arrived.
        Task { [weak self] in
            for await data in data { await self?.receive(data) }
        }
        return client
    }

    /// - Parameter lost: The connection that ended; ignored unless it is the one in use.
    func disconnected(from lost: HostClient) {
        guard client === lost else { return }
        client = nil
        inbox = nil
        watching?.cancel()
        watching = nil
        sessions = [:]
        extensions = [:]
        occupants.withLock { $0 = [:] }
        // Playback continues without the daemon, and the next daemon resumes it.
        start()
    }

    /// Matches running playback with the sessions of a new daemon, and ends the controls of sessions it doesn't have.
    private func resume() async {
        for (path, control) in controls {
            if let session = sessions[path] {
                await show(session, on: control)
            } else {
                await end(path, error: HostError(.hostUnavailable, "The daemon exited, and playback ended."))
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
            await end(path, error: HostError(.hostUnavailable, "The daemon exited."))
        }
        for route in routes.values where route.isActive { _ = await tell(.deactivate, route) }
    }

    /// Notifies the observers, once of every activation and of its end.
    func tell(_ reason: AVSystemRouteEvent.Reason, _ route: AVSystemRoute) async -> Bool {
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
        case .device(let device): noteOccupant(of: device)
        case .session(let session): sessions[session.path] = session
        case .sessionRemoved(let session): sessions[session.path] = nil
        case .extension(let status): extensions[status.id] = status
        case .extensionRemoved(let status): extensions[status.id] = nil
        default: break
        }
    }

    func end(_ path: String, error: HostError?) async {
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

    static func routingError(_ error: any Error) -> AVSystemRoutingError {
        (error as? AVSystemRoutingError) ?? (error as? HostError).map(AVSystemRoutingError.init)
            ?? AVSystemRoutingError(.connectionFailed)
    }
}

/// The answer of a task that can outlive its caller.
private final class AnswerBox: Sendable {
    let value = Atomic(false)
}

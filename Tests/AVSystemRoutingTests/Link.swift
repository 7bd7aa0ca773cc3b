import DBus
import Foundation
import HostClient
import HostInterface
import ScriptedDaemon
import Synchronization
import Testing
import TypeIdentifiers

@testable import AVSystemRouting

/// An app's controller connected to a scripted daemon with one device.
struct Link: Sendable {
    static let deviceID = "0536744D-E1AF-5A68-A682-886D0CD6223A"
    static let devicePath = HostNames.devicePath(deviceID)
    static let sessionPath = HostNames.sessionPath("1")

    let daemon: ScriptedDaemon
    let controller: AVSystemRouteController
    private let socket: CurrentSocket

    init(
        _ information: ProgramInformation = .sample, retryDelays: [Duration] = RoutingService.usualDelays
    ) async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.addDevice(Self.deviceID, name: "Living Room")
        self.daemon = daemon
        let socket = CurrentSocket(daemon.socket)
        self.socket = socket
        controller = AVSystemRouteController(
            service: RoutingService(information: information, retryDelays: retryDelays) { () async throws(HostError) in
                try await HostClient.connect(to: socket.path, launching: false)
            })
    }

    /// The app's next connection goes to another daemon.
    func move(to daemon: ScriptedDaemon) { socket.path = daemon.socket }

    /// Notifies the app that the person picked or dropped the device.
    func tell(_ reason: String, type: String = "tv") async throws -> Bool? {
        try await daemon.tell(reason, device: Self.deviceID, Self.description(type))
    }

    /// Returns the daemon's description of a route.
    static func description(_ type: String = "tv") -> [String: DBusValue] {
        [
            "name": .string("Living Room"), "type": .string(type), "protocol": .string("com.example.sharing"),
            "protocolName": .string("Sharing"),
        ]
    }

    /// The route of an activation.
    func route() async throws -> AVSystemRoute {
        let observer = RecordingObserver(answer: true)
        #expect(controller.addObserver(observer))
        #expect(try await tell("activate") == true)
        controller.removeObserver(observer)
        return try #require(observer.events.first?.route)
    }

    /// A started session; the daemon's object shows `playback`.
    func started(
        _ mode: AVSystemRoute.LaunchMode = .player, _ playback: PlaybackState = .sample
    ) async throws -> (AVSystemRoute, AVSystemRouteSession, AVSystemRouteMediaSession) {
        let route = try await route()
        let daemon = daemon
        await daemon.answer("Play") { _ in
            try await daemon.addSession("1", device: Self.deviceID, playback)
            return [.objectPath(Self.sessionPath)]
        }
        let session = AVSystemRouteSession(url: .sample, mode: mode)
        #expect(route.addSession(session))
        return (route, session, try await session.start())
    }
}

/// The socket that an app connects to.
private final class CurrentSocket: Sendable {
    private let value: Mutex<String>

    init(_ path: String) { value = Mutex(path) }

    var path: String {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

extension ProgramInformation {
    static var sample: ProgramInformation {
        var information = ProgramInformation()
        information.bundleIdentifier = "com.example.app"
        information.displayName = "App"
        information.supportedProtocols = ["com.example.sharing": "com.example.remote"]
        information.supportsUniversalURLPlayback = true
        return information
    }
}

extension PlaybackState {
    /// Plays since 10 s, 100 s long.
    static var sample: PlaybackState {
        var state = PlaybackState()
        state.isReady = true
        state.isPlaying = true
        state.timeRange = .init(start: 0, duration: 100)
        state.position = .init(value: 10, hostTime: 0, rate: 0)
        state.volume = 0.5
        state.title = "Film"
        return state
    }
}

extension URL {
    // A literal that is an address.
    static let sample = URL(string: "http://192.0.2.1/film.mp4")!
}

/// Keeps the events and answers all alike.
final class RecordingObserver: AVSystemRouteControllerObserver {
    private let answer: Bool
    private let received = Mutex<[AVSystemRouteEvent]>([])

    init(answer: Bool) { self.answer = answer }

    var events: [AVSystemRouteEvent] { received.withLock { $0 } }

    func systemRouteController(_ controller: AVSystemRouteController, handle event: AVSystemRouteEvent) async -> Bool {
        received.withLock { $0.append(event) }
        return answer
    }
}

/// Hands messages to a test, and fails those that are empty.
final class RecordingDelegate: AVSystemRouteDataDelegate {
    struct Empty: LocalizedError {
        var errorDescription: String? { "It is empty." }
    }

    let messages: AsyncStream<Data>
    private let feed: AsyncStream<Data>.Continuation

    init() { (messages, feed) = AsyncStream.makeStream(of: Data.self) }

    func receive(_ data: Data) async throws {
        guard !data.isEmpty else { throw Empty() }
        feed.yield(data)
    }
}

/// Returns once `condition` holds, which only observed properties may change.
@MainActor
func becomes(_ condition: @escaping @MainActor () -> Bool) async {
    while true {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let isTrue = withObservationTracking(condition) { change.finish() }
        if isTrue { return }
        for await _ in changes {}
        if Task.isCancelled { return }
    }
}

import DBus
import Foundation
import HostClient
import HostInterface
import Observation
import ScriptedDaemon
import Synchronization
import TypeIdentifiers

@testable import NowPlaying

/// An app's service connected to a scripted daemon.
struct Link: Sendable {
    let daemon: ScriptedDaemon
    let service: NowPlayingService
    private let socket: CurrentSocket

    init() async throws {
        let daemon = try await ScriptedDaemon()
        self.daemon = daemon
        let socket = CurrentSocket(daemon.socket)
        self.socket = socket
        var information = ProgramInformation()
        information.bundleIdentifier = "com.example.player"
        information.displayName = "Player"
        service = NowPlayingService(information: information) { () async throws(HostError) in
            try await HostClient.connect(to: socket.path, launching: false)
        }
    }

    /// The app's next connection goes to another daemon.
    func move(to daemon: ScriptedDaemon) { socket.path = daemon.socket }

    @MainActor
    func session(_ model: Model, clock: any Clock<Duration> = ContinuousClock()) -> MediaSession<Model> {
        MediaSession(model, service: service, clock: clock)
    }

    /// Returns the state in the app's `count`-th call of that name.
    func published(_ member: String, _ count: Int = 1) async throws -> MediaSessionState {
        let call = try await daemon.log.call(member, count)
        guard let value = call.arguments.last else { throw HostError(.internalFailure, "No state.") }
        return try DBusDictionaryDecoder().decode(MediaSessionState.self, from: value)
    }

    func count(_ member: String) async -> Int { await daemon.log.calls.count { $0.member == member } }

    func perform(_ action: MediaAction) async throws {
        _ = try await daemon.callHandler("Perform", [try DBusDictionaryEncoder().encode(action)])
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

/// A model of the plain form: its isolation comes from the protocol.
@Observable
final class Model: MediaSessionRepresentable {
    let id = "model"
    @MainActor var title: String? = "Song"
    @MainActor var album = ""
    @MainActor var snapshot: MediaPlaybackSnapshot? = MediaPlaybackSnapshot(state: .paused, elapsedTime: 5)
    @MainActor var offered: [MediaCommand] = []
    @MainActor var picture: Artwork?
    @MainActor var moving: AnimatedArtwork?
    /// A value that no view shows.
    @MainActor var unrelated = 0

    @MainActor init() {}

    var content: (any MediaContentRepresentable)? {
        if let moving {
            return MovieContent(
                id: "film", title: "Film", duration: nil,
                artwork: Artwork(id: "none") { _ in throw CancellationError() },
                animatedArtwork: moving)
        }
        return title.map {
            MusicContent(
                id: $0, songTitle: $0, artistName: "Artist", albumName: album, type: .audio, duration: .finite(60),
                artwork: picture)
        }
    }

    var playbackSnapshot: MediaPlaybackSnapshot? { snapshot }
    var commands: [MediaCommand] { offered }
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

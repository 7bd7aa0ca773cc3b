import AVSystemRouting

/// The app's use of its route: messages to the extension, then sessions.
@MainActor
final class RoutedPlayback {
    private struct Running {
        let session: AVSystemRouteSession
        let media: AVSystemRouteMediaSession
        let control: (any AVPlaybackUserInterfaceControllable)?
    }

    private let options: Options
    private let routeMessages: DataHandler
    private let sessionMessages: DataHandler
    private var activeRoute: AVSystemRoute?
    private var running: [Running] = []
    private var starting: Task<Void, Never>?

    init(_ options: Options) {
        self.options = options
        routeMessages = DataHandler("route", rejects: options.rejectsMessages)
        sessionMessages = DataHandler("session", rejects: options.rejectsMessages)
    }

    /// - Returns: Whether the app can use the route.
    func activated(_ route: AVSystemRoute) async -> Bool {
        activeRoute = route
        // The channel of the route needs no session.
        let routeChannel = route.routeDataChannel
        routeChannel.dataDelegate = routeMessages
        do {
            try await routeChannel.send(Data("hello".utf8))
            Journal.write("route channel: sent")
        } catch {
            Journal.write("route channel: \(error.localizedDescription)")
        }
        // Start as the options say when a route becomes active.
        guard let mode = options.mode else { return true }
        if options.startsFirst { return await start(mode) }
        // Beside the event, which is answered meanwhile.
        starting = Task { await start(mode) }
        return true
    }

    func deactivated(_ route: AVSystemRoute) async {
        starting?.cancel()
        for running in running {
            running.session.stop()
            route.removeSession(running.session)
        }
        running = []
        activeRoute = nil
    }

    /// - Returns: Whether it succeeded.
    @discardableResult
    func start(_ mode: AVSystemRoute.LaunchMode) async -> Bool {
        let name = mode == .player ? "player" : "application"
        guard let activeRoute else {
            Journal.write("session \(name): no route")
            return false
        }
        let session = AVSystemRouteSession(url: options.url, mode: mode)
        guard activeRoute.addSession(session) else {
            Journal.write("session \(name): not added")
            return false
        }
        do {
            let mediaSession = try await session.start()
            let channel = mediaSession.dataChannel
            Journal.write("session \(name): started, \(channel == nil ? "no channel" : "channel")")
            let control = mediaSession.playbackControl
            running.append(Running(session: session, media: mediaSession, control: control))
            if let control { Task { await follow(control) } }
            channel?.dataDelegate = sessionMessages
            try await channel?.send(Data("ping".utf8))
            return true
        } catch {
            Journal.write("session \(name): \(error.localizedDescription)")
            activeRoute.removeSession(session)
            return false
        }
    }

    func stop() {
        guard let last = running.popLast() else { return Journal.write("nothing to stop") }
        last.session.stop()
        activeRoute?.removeSession(last.session)
        Journal.write("stopped")
    }

    func setPlaying(_ isPlaying: Bool) { running.last?.control?.isPlaying = isPlaying }

    func setSpeed(_ speed: Float) { running.last?.control?.playbackSpeed = speed }

    /// Prints whether the objects from the activation and the newest session are still the current ones.
    func printIdentity() {
        guard let activeRoute, let last = running.last else { return Journal.write("same: nothing runs") }
        let isSame = last.media.playbackControl === last.control
        Journal.write(
            "same: \(isSame ? "yes" : "no"), \(activeRoute.routeDisplayName), "
                + (last.control?.error == nil ? "no error" : "error"))
    }

    /// Prints the begin and end of playback and the device's refusals, until it fails.
    private func follow(_ control: any AVPlaybackUserInterfaceControllable) async {
        var wasPlaying: Bool?
        var refusal: String?
        while control.error == nil {
            if control.isPlaying != wasPlaying {
                wasPlaying = control.isPlaying
                Journal.write(control.isPlaying ? "plays" : "does not play")
            }
            if control.commandError?.localizedDescription != refusal {
                refusal = control.commandError?.localizedDescription
                if let refusal { Journal.write("refused: \(refusal)") }
            }
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                _ = (control.isPlaying, control.error != nil, control.commandError != nil)
            } onChange: {
                change.finish()
            }
            for await _ in changes {}
        }
        Journal.write("ended: \(control.error?.localizedDescription ?? "")")
    }
}

/// Takes messages from the device.
private final class DataHandler: AVSystemRouteDataDelegate {
    private struct Rejection: LocalizedError {
        var errorDescription: String? { "This app takes no messages." }
    }

    private let name: String
    private let rejects: Bool

    nonisolated init(_ name: String, rejects: Bool) {
        self.name = name
        self.rejects = rejects
    }

    func receive(_ data: Data) async throws {
        if rejects { throw Rejection() }
        Journal.write("\(name) data: \(String(decoding: data, as: UTF8.self))")
    }
}

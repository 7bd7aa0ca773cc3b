import AVSystemRouting

/// What the app does with its route: messages to the extension, then sessions.
@MainActor
final class RoutedPlayback {
    private struct Running {
        let session: AVSystemRouteSession
        let media: AVSystemRouteMediaSession
        let control: (any AVPlaybackUserInterfaceControllable)?
    }

    private let contentURL: URL
    /// What starts when a route becomes active.
    private let mode: AVSystemRoute.LaunchMode?
    private let routeMessages = DataHandler("route")
    private let sessionMessages = DataHandler("session")
    private var activeRoute: AVSystemRoute?
    private var running: [Running] = []
    private var starting: Task<Void, Never>?

    nonisolated init(_ contentURL: URL, mode: AVSystemRoute.LaunchMode?) {
        self.contentURL = contentURL
        self.mode = mode
    }

    func activated(_ route: AVSystemRoute) async {
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
        guard let mode else { return }
        // Beside the event, which is answered meanwhile.
        starting = Task { await start(mode) }
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

    func start(_ mode: AVSystemRoute.LaunchMode) async {
        let name = mode == .player ? "player" : "application"
        guard let activeRoute else { return Journal.write("session \(name): no route") }
        let session = AVSystemRouteSession(url: contentURL, mode: mode)
        guard activeRoute.addSession(session) else { return Journal.write("session \(name): not added") }
        do {
            let mediaSession = try await session.start()
            let channel = mediaSession.dataChannel
            Journal.write("session \(name): started, \(channel == nil ? "no channel" : "channel")")
            let control = mediaSession.playbackControl
            running.append(Running(session: session, media: mediaSession, control: control))
            if let control { Task { await follow(control) } }
            channel?.dataDelegate = sessionMessages
            try await channel?.send(Data("ping".utf8))
        } catch {
            Journal.write("session \(name): \(error.localizedDescription)")
            activeRoute.removeSession(session)
        }
    }

    func stop() {
        guard let last = running.popLast() else { return Journal.write("nothing to stop") }
        last.session.stop()
        activeRoute?.removeSession(last.session)
        Journal.write("stopped")
    }

    func setPlaying(_ isPlaying: Bool) { running.last?.control?.isPlaying = isPlaying }

    /// Whether what was given when the route and the newest session began is what there is now.
    func printIdentity() {
        guard let activeRoute, let last = running.last else { return Journal.write("same: nothing runs") }
        let isSame = last.media.playbackControl === last.control
        Journal.write(
            "same: \(isSame ? "yes" : "no"), \(activeRoute.routeDisplayName), "
                + (last.control?.error == nil ? "no error" : "error"))
    }

    /// Prints when it begins or ceases to play, until it fails.
    private func follow(_ control: any AVPlaybackUserInterfaceControllable) async {
        var wasPlaying: Bool?
        while control.error == nil {
            if control.isPlaying != wasPlaying {
                wasPlaying = control.isPlaying
                Journal.write(control.isPlaying ? "plays" : "does not play")
            }
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                _ = (control.isPlaying, control.error != nil)
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
    private let name: String

    nonisolated init(_ name: String) { self.name = name }

    func receive(_ data: Data) async throws { Journal.write("\(name) data: \(String(decoding: data, as: UTF8.self))") }
}

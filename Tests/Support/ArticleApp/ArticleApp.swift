import AVKit
import AVSystemRouting
import CoreMedia
import Foundation

/// A media app in the spelling of the routing article's early form: an observer with a completion handler, and a control
/// object as `AVInterfaceControllable`. It prints what it sees and obeys standard input.
@main
@MainActor
enum ArticleApp {
    static func main() async {
        let observer = RouteObserver()
        say("added \(AVSystemRouteController.shared.addObserver(observer))")
        say("added \(AVSystemRouteController.shared.addObserver(observer))")
        for await line in lines() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            await observer.obey(words[0], words.count > 1 ? words[1] : "")
        }
    }

    private static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { if !line.isEmpty { lines.yield(line) } }
                lines.finish()
            }
        }
    }
}

/// Unbuffered: the reader waits for each line.
nonisolated func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Receives the extension's messages over the route.
final class Messages: AVSystemRouteDataDelegate {
    func receive(_ data: Data) async throws { say("route data \(String(decoding: data, as: UTF8.self))") }
}

@MainActor
final class RouteObserver: AVSystemRouteControllerObserver {
    private let messages = Messages()
    private var activeRoute: AVSystemRoute?
    private var session: AVSystemRouteSession?
    private var control: (any AVInterfaceControllable)?

    nonisolated func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        Task { @MainActor in
            switch event.reason {
            case .activate:
                activeRoute = event.route
                event.route.routeDataChannel.dataDelegate = messages
                say("activate \(event.route.routeDisplayName)")
            case .deactivate:
                activeRoute = nil
                say("deactivate")
            }
            completionHandler(true)
        }
    }

    func obey(_ word: String, _ argument: String) async {
        if word == "available" { return say("available \(AVSystemRouteController.supportedExtensionAvailable)") }
        guard let activeRoute else { return say("no route") }
        switch word {
        case "send":
            do { try await activeRoute.routeDataChannel.send(Data(argument.utf8)) } catch { say("not sent: \(error)") }
        case "start": await start(argument, on: activeRoute)
        case "pause": control?.isPlaying = false
        case "seek": control?.currentPlaybackPosition = CMTime(seconds: Double(argument) ?? 0, preferredTimescale: 600)
        case "title": say("title \(control?.metadata.title ?? "none")")
        case "stop":
            guard let session else { return }
            session.stop()
            activeRoute.removeSession(session)
            // It was stopped, so that no route takes it again.
            say("added again \(activeRoute.addSession(session))")
        default: say("unknown \(word)")
        }
    }

    private func start(_ address: String, on route: AVSystemRoute) async {
        guard let url = URL(string: address) else { return say("no address") }
        let session = AVSystemRouteSession(url: url, mode: .player)
        guard route.addSession(session) else { return say("refused") }
        say("twice \(route.addSession(session))")
        do {
            let media = try await session.start()
            self.session = session
            control = media.playbackControl
            say("started")
        } catch {
            route.removeSession(session)
            say("failed: \(error.localizedDescription)")
        }
    }
}

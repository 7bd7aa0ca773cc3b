import AVSystemRouting
import Foundation

/// A media app that waits for a person to pick a device.
@main
struct RoutedPlayer {
    @MainActor
    static func main() async {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: RoutedPlayer [--decline] [--first] [--reject] [--mode player|application|none] URL\n".utf8)
            )
            exit(64)
        }
        let playback = RoutedPlayback(options)
        let player = OwnPlayer()
        let observer = RouteObserver(playback, declines: options.declines)
        guard AVSystemRouteController.shared.addObserver(observer) else {
            Journal.write("not added")
            exit(1)
        }
        Journal.write("waiting")
        for await line in lines() {
            switch line {
            case "start player": await playback.start(.player)
            case "start application": await playback.start(.application)
            case "play": playback.setPlaying(true)
            case "pause": playback.setPlaying(false)
            case "faster": playback.setSpeed(1.5)
            case "stop": playback.stop()
            case "picker": await showPicker()
            case "same": playback.printIdentity()
            case let line where line.hasPrefix("sound "): player.start(line.dropFirst(6))
            case "silence": player.stop()
            case "quit": exit(0)
            default: Journal.write("unknown: \(line)")
            }
        }
        // Without an input it waits for routes all the same.
        while true { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Opens the picker in the person's browser; what is picked there arrives at the observer.
    private static func showPicker() async {
        do {
            try await AVRoutePickerView().present()
            Journal.write("picker: open")
        } catch {
            Journal.write("picker: \(error.localizedDescription)")
        }
    }

    /// The lines of standard input, read on a thread of their own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }
}

/// The command line.
struct Options {
    var url: URL
    var mode: AVSystemRoute.LaunchMode? = .player
    var declines = false
    /// Takes a route only if its session starts.
    var startsFirst = false
    /// Fails every message from the device.
    var rejectsMessages = false

    /// `nil` for invalid arguments.
    init?(_ arguments: some Sequence<String>) {
        var url: URL?
        var iterator = arguments.makeIterator()
        while let word = iterator.next() {
            switch word {
            case "--decline": declines = true
            case "--first": startsFirst = true
            case "--reject": rejectsMessages = true
            case "--mode":
                switch iterator.next() {
                case "player": mode = .player
                case "application": mode = .application
                case "none": mode = nil
                default: return nil
                }
            default: url = URL(string: word)
            }
        }
        guard let url else { return nil }
        self.url = url
    }
}

import Foundation
import NowPlaying
import Observation

/// An app that publishes what it is told on standard input, a word and its argument a line, and prints what it is asked.
@main
@MainActor
enum PublishingApp {
    static func main() async {
        let model = Model()
        var sessions: [MediaSession<Model>] = []
        var models = [model]
        sessions.append(MediaSession(model))
        let remote = RemoteSessions()
        follow { [weak session = sessions[0]] in session.map { ($0.isApplicationPrimary, $0.isSystemPrimary) } }
        for await line in lines() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words.first {
            case "end": sessions = []
            case "second":
                let second = Model()
                second.id = "second"
                second.title = words.last ?? ""
                second.hasContent = true
                models.append(second)
                sessions.append(MediaSession(second))
            case "application":
                await request("application") { try await sessions.last?.requestToBecomeApplicationPrimary() }
            case "system": await request("system") { try await sessions.last?.requestToBecomeSystemPrimary() }
            case "remote":
                let words = line.split(separator: " ").dropFirst().map(String.init)
                // Not awaited: a token is followed for ever.
                if words.first == "token" { Task { await remote.change(words) } } else { await remote.change(words) }
            case "quit": return
            default: models.last?.change(words.first ?? "", words.count > 1 ? words[1] : "")
            }
        }
    }

    private static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }

    private static func request(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            print("granted \(name)")
        } catch {
            print("refused \(name) \(error)")
        }
    }

    /// Prints the roles whenever they move, for as long as there are any.
    private static func follow(_ roles: @escaping @MainActor () -> (Bool, Bool)?) {
        let now = withObservationTracking(roles) { Task { @MainActor in follow(roles) } }
        if let now { print("roles \(now.0) \(now.1)") }
    }
}

/// Nothing is kept back: who reads this waits for each line.
func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

@MainActor
@Observable
final class Model: @MainActor MediaSessionRepresentable {
    struct Failure: LocalizedError {
        var errorDescription: String? { "The needle is broken." }
    }

    @ObservationIgnored var id = "first"
    var hasContent = false
    var item = "track-1"
    var title = "Title"
    var album = "Album"
    var length = 240.0
    var state = MediaPlaybackSnapshot.PlaybackState.paused
    var position = 0.0
    var since: Date?
    var repeatMode = MediaCommand.RepeatMode.off
    var isShuffled = false
    var canGoNext = true
    var picture = ""
    /// How commands end: `works`, `fails`, `hangs`.
    var manner = "works"

    var content: (any MediaContentRepresentable)? {
        guard hasContent else { return nil }
        let picture = picture
        var artwork: Artwork?
        if !picture.isEmpty {
            artwork = Artwork(id: picture) { size in
                print("artwork \(picture) \(Int(size.width))x\(Int(size.height))")
                return try ArtworkRepresentation(data: Data(contentsOf: URL(filePath: picture)))
            }
        }
        var content = MusicContent(
            id: item, songTitle: title, artistName: "Artist", albumName: album, type: .audio,
            duration: length < 0 ? .live : .finite(length), artwork: artwork)
        content.genre = "Test"
        return content
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(state: state, elapsedTime: position, timestamp: since)
    }

    var commands: [MediaCommand] {
        [
            .play { try await self.done("play") }, .pause { try await self.done("pause") },
            .togglePlayPause { try await self.done("toggle") }, .stop { try await self.done("stop") },
            .next { try await self.done("next") }.enabled(canGoNext),
            .previous { try await self.done("previous") },
            .seekToPosition { try await self.done("seek \($0)") },
            .changePlaybackRate(supported: [0.5, 1, 2]) { try await self.done("rate \($0)") },
            .changeRepeatMode(current: repeatMode) { try await self.done("repeat \($0)") },
            .changeShuffleMode(current: isShuffled ? .items : .off) { try await self.done("shuffle \($0)") },
        ]
    }

    private func done(_ what: String) async throws {
        print("command \(what)")
        switch manner {
        case "fails": throw Failure()
        case "hangs": try await Task.sleep(for: .seconds(60))
        default: change(what)
        }
    }

    private func change(_ command: String) {
        let words = command.split(separator: " ").map(String.init)
        switch words[0] {
        case "play": change("playing", "\(now)")
        case "pause": change("paused", "\(now)")
        case "toggle": change(state == .paused ? "playing" : "paused", "\(now)")
        case "seek": change(state == .paused ? "paused" : "playing", words[1])
        case "rate": change("playing", "\(now) \(words[1])")
        case "repeat": repeatMode = ["off": .off, "one": .one, "all": .all][words[1]] ?? .off
        case "shuffle": isShuffled = words[1] != "off"
        default: break
        }
    }

    private var now: Double {
        guard case .playing(let rate) = state, let since else { return position }
        return position + Double(rate) * Date().timeIntervalSince(since)
    }

    func change(_ word: String, _ argument: String) {
        let numbers = argument.split(separator: " ").compactMap { Double($0) }
        switch word {
        case "show": hasContent = true
        case "hide": hasContent = false
        case "title": title = argument
        case "album": album = argument
        case "item":
            item = argument
            position = 0
            since = Date()
        case "length": length = numbers.first ?? 0
        case "picture": picture = argument
        case "next": canGoNext = argument == "on"
        case "manner": manner = argument
        case "playing":
            position = numbers.first ?? position
            since = Date()
            state = .playing(rate: numbers.count > 1 ? Float(numbers[1]) : 1)
        case "paused":
            position = numbers.first ?? position
            since = nil
            state = .paused
        case "stopped": state = .stopped
        case "buffering": state = .buffering
        case "all":
            // Several changes in one turn.
            title = argument
            album = argument + " Album"
            canGoNext.toggle()
            change("playing", "7")
        case "storm": storm(Int(argument) ?? 1000)
        default: print("unknown \(word)")
        }
    }

    /// Changes the title so often, a thousand times a second.
    private func storm(_ count: Int) {
        Task {
            let clock = ContinuousClock()
            let start = clock.now
            for index in 1...count {
                title = "Storm \(index)"
                try? await clock.sleep(until: start + .milliseconds(index))
            }
            print("calm")
        }
    }
}

import AVFAudio
import Foundation
import NowPlaying
import Observation

/// An app that publishes its standard input, a word and its argument a line, and prints the requests it receives.
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
            case "audio": await request("audio") { try audio(words.last ?? "") }
            case "quit": return
            default: models.last?.change(words.first ?? "", words.count > 1 ? words[1] : "")
            }
        }
    }

    private static func audio(_ word: String) throws {
        let session = AVAudioSession.sharedInstance()
        if word == "on" {
            try session.setCategory(.playback, mode: .default)
            try session.setActive(true)
        } else {
            try session.setActive(false, options: .notifyOthersOnDeactivation)
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

/// Unbuffered: the reader waits for each line.
func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

import Foundation
import NowPlaying
import Observation

/// An app that changes its published state by lines of a word and numbers: `step N` once, `storm COUNT PER-SECOND`.
///
/// It prints `at N SECONDS` (`CLOCK_MONOTONIC`) before each step, and `calm` after a storm.
@main
@MainActor
enum BenchmarkPlayer {
    static func main() async {
        let model = Model()
        let session = MediaSession(model)
        for await line in lines() {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.dropFirst().compactMap { Int($0) }) {
            case ("step", let numbers) where numbers.count == 1:
                say("at \(numbers[0]) \(monotonicSeconds())")
                model.title = "Step \(numbers[0])"
            case ("storm", let numbers) where numbers.count == 2:
                await storm(model, count: numbers[0], every: .seconds(1) / numbers[1])
                say("calm")
            default: say("usage: step N | storm COUNT PER-SECOND")
            }
        }
        withExtendedLifetime(session) {}
    }

    private static func storm(_ model: Model, count: Int, every interval: Duration) async {
        let clock = ContinuousClock()
        let start = clock.now
        for index in 1...max(1, count) {
            model.title = "Storm \(index)"
            try? await clock.sleep(until: start + interval * index)
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

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

@MainActor
@Observable
final class Model: @MainActor MediaSessionRepresentable {
    let id = "benchmark"
    var title = "Step 0"

    var content: (any MediaContentRepresentable)? {
        MusicContent(
            id: "track", songTitle: title, artistName: "Artist", albumName: "Album", type: .audio,
            duration: .finite(100), artwork: nil)
    }

    var playbackSnapshot: MediaPlaybackSnapshot? { MediaPlaybackSnapshot(state: .paused, elapsedTime: 0) }
    var commands: [MediaCommand] { [.play {}, .pause {}] }
}

import Foundation
import NowPlaying
import Observation

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
    /// A Boolean value that indicates whether it supports seeking; otherwise only skipping.
    var canSeek = true
    var feedback = MediaCommand.FeedbackStatus.neutral
    /// The kind of the content, such as `podcast`.
    var kind = "music"
    var picture = ""
    /// The outcome of commands: `works`, `fails`, `hangs`.
    var manner = "works"

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(state: state, elapsedTime: position, timestamp: since)
    }

    var commands: [MediaCommand] {
        [
            .play { try await self.done("play") }, .pause { try await self.done("pause") },
            .togglePlayPause { try await self.done("toggle") }, .stop { try await self.done("stop") },
            .next { try await self.done("next") }.enabled(canGoNext),
            .previous { try await self.done("previous") },
            .changePlaybackRate(supported: [0.5, 1, 2]) { try await self.done("rate \($0)") },
            .changeRepeatMode(current: repeatMode) { try await self.done("repeat \($0)") },
            .changeShuffleMode(current: isShuffled ? .items : .off) { try await self.done("shuffle \($0)") },
            .feedback(title: "Love", status: feedback) { try await self.done("feedback \($0)") },
            .seekForward(
                beginAction: { try await self.done("forward begins") },
                endAction: { try await self.done("forward ends") }),
        ] + (canSeek ? [.seekToPosition { try await self.done("seek \($0)") }] : skips)
    }

    private var skips: [MediaCommand] {
        [
            .skipForward(preferredIntervals: [15, 30]) { try await self.done("skip \($0)") },
            .skipBackward(preferredIntervals: [15]) { try await self.done("skip back \($0)") },
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
        case "feedback": feedback = ["positive": .positive, "negative": .negative][words[1]] ?? .neutral
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
        case "skips": canSeek = argument != "on"
        case "kind": kind = argument
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

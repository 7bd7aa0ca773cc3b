import DBus
import Foundation
import HostInterface
import ScriptedDaemon
import Testing

@testable import NowPlaying

@MainActor
@Suite("Commands", .timeLimit(.minutes(1)))
struct CommandTests {
    private struct Failure: LocalizedError {
        var errorDescription: String? { "The needle is broken." }
    }

    /// Every command, recording its argument.
    private func all(_ note: @escaping @MainActor (String) -> Void) -> [MediaCommand] {
        [
            .play { note("play") }, .pause { note("pause") }, .stop { note("stop") },
            .togglePlayPause { note("toggle") }, .next { note("next") }, .previous { note("previous") },
            .skipForward(preferredIntervals: [15, 30]) { note("skip \($0)") },
            .skipBackward { note("back \($0)") }, .seekToPosition { note("seek \($0)") },
            .seekForward(beginAction: { note("forward") }, endAction: { note("forward ends") }),
            .seekBackward(beginAction: { note("backward") }, endAction: { note("backward ends") }),
            .changePlaybackRate(supported: [0.5, 1, 1.5]) { note("rate \($0)") },
            .changeRepeatMode(current: .one, supported: [.off, .one]) { note("repeat \($0)") },
            .changeShuffleMode(current: .off) { note("shuffle \($0)") },
            .feedback(title: "Like this song", shortTitle: "Like", status: .positive) { note("feedback \($0)") },
        ]
    }

    @Test("all fifteen arrive at their closures with what was chosen")
    func everyOne() async throws {
        let link = try await Link()
        let model = Model()
        var notes: [String] = []
        model.offered = all { notes.append($0) }
        let session = link.session(model)
        let controls = try await link.published("RegisterSession").controls
        #expect(Set(controls.map(\.kind)) == Set(MediaControl.Kind.allCases))
        #expect(controls.allSatisfy { $0.isEnabled })
        #expect(controls.first { $0.kind == .skipForward }?.numbers == [15, 30])
        #expect(controls.first { $0.kind == .changeRepeatMode }?.modes == ["off", "one"])
        #expect(controls.first { $0.kind == .changeShuffleMode }?.modes == ["off", "items", "collections"])
        let feedback = controls.first { $0.kind == .feedback }
        #expect(feedback?.title == "Like this song" && feedback?.shortTitle == "Like")
        #expect(feedback?.current == "positive")
        for action in [
            MediaAction(.play), MediaAction(.pause), MediaAction(.stop), MediaAction(.togglePlayPause),
            MediaAction(.next), MediaAction(.previous), MediaAction(.skipForward, number: 30),
            MediaAction(.skipBackward), MediaAction(.seekToPosition, number: 12.5),
            MediaAction(.seekForward, phase: .begin), MediaAction(.seekForward, phase: .end),
            MediaAction(.seekBackward, phase: .begin), MediaAction(.seekBackward, phase: .end),
            MediaAction(.changePlaybackRate, number: 1.4), MediaAction(.changeRepeatMode, mode: "one"),
            MediaAction(.changeShuffleMode, mode: "collections"), MediaAction(.feedback, mode: "negative"),
        ] {
            try await link.perform(action)
        }
        #expect(
            notes == [
                "play", "pause", "stop", "toggle", "next", "previous", "skip 30.0", "back 10.0", "seek 12.5", "forward",
                "forward ends", "backward", "backward ends", "rate 1.5", "repeat one", "shuffle collections",
                "feedback negative",
            ])
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("what does not fit is refused, and its closure not called")
    func refused() async throws {
        let link = try await Link()
        let model = Model()
        var notes: [String] = []
        model.offered =
            all { notes.append($0) }.filter { $0.control.kind != .stop }.map {
                $0.enabled($0.control.kind != .next)
            }
        let session = link.session(model)
        #expect(try await link.published("RegisterSession").controls.first { $0.kind == .next }?.isEnabled == false)
        for action in [
            MediaAction(.next), MediaAction(.stop), MediaAction(.seekToPosition), MediaAction(.seekForward),
            MediaAction(.changeRepeatMode, mode: "all"), MediaAction(.changeShuffleMode, mode: "nonsense"),
            MediaAction(.seekToPosition, number: .infinity), MediaAction(.changePlaybackRate, number: .nan),
        ] {
            await #expect(throws: DBusError.self, "\(action)") { try await link.perform(action) }
        }
        #expect(notes.isEmpty)
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("what a closure throws is told in its own words")
    func failure() async throws {
        let link = try await Link()
        let model = Model()
        model.offered = [.play { throw Failure() }]
        let session = link.session(model)
        _ = try await link.published("RegisterSession")
        do {
            try await link.perform(MediaAction(.play))
            Issue.record("it worked")
        } catch let error as DBusError {
            #expect(HostError(error) == HostError(.commandFailed, "The needle is broken."))
        }
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("enabled gives another command, and leaves the first as it is")
    func enabled() {
        let command = MediaCommand.play {}
        #expect(!command.enabled(false).control.isEnabled && command.control.isEnabled)
        #expect(command.enabled(false).enabled(true).control.isEnabled)
    }
}

import SoundServers
import Testing

@testable import PulseAudio

/// With real servers and the dummy output they create without a sound card.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct PulseDefaultOutputTests {
    private func next(
        _ levels: inout AsyncStream<PulseDefaultOutput.Level?>.Iterator,
        until isWanted: (PulseDefaultOutput.Level?) -> Bool
    ) async -> PulseDefaultOutput.Level? {
        while let level = await levels.next() { if isWanted(level) { return level } }
        return nil
    }

    @Test(arguments: SoundDesktop.Kind.allCases.filter { SoundDesktop.missing($0) == nil })
    func theLevelIsThatOfTheMixerBothWays(kind: SoundDesktop.Kind) async throws {
        try await SoundDesktop.open(kind) { desktop in
            let output = try await PulseDefaultOutput.open(path: desktop.folder + "/run/pulse/native")
            var levels = output.levels.makeAsyncIterator()
            let first = try #require(await next(&levels) { $0 != nil })
            #expect(!first.name.isEmpty && !first.isMuted)

            try await output.setVolume(0.25)
            _ = try #require(await next(&levels) { abs(($0?.volume ?? 9) - 0.25) < 0.001 })
            #expect(try await desktop.run("pactl", "get-sink-volume", "@DEFAULT_SINK@").output.contains("25%"))
            try await output.setMuted(true)
            _ = try #require(await next(&levels) { $0?.isMuted == true })
            #expect(try await desktop.run("pactl", "get-sink-mute", "@DEFAULT_SINK@").output.contains("yes"))

            _ = try await desktop.run("pactl", "set-sink-volume", "@DEFAULT_SINK@", "70%")
            let set = try #require(await next(&levels) { abs(($0?.volume ?? 9) - 0.7) < 0.01 })
            #expect(set.isMuted)
            // A level above 100 % is reported as 100 %.
            _ = try await desktop.run("pactl", "set-sink-volume", "@DEFAULT_SINK@", "140%")
            _ = try #require(await next(&levels) { $0?.volume == 1 })
            await output.close()
        }
    }

    @Test(.enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"))
    func anotherDefaultOutputIsFollowedAndTheServersEndIsTold() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let output = try await PulseDefaultOutput.open(path: desktop.folder + "/run/pulse/native")
            var levels = output.levels.makeAsyncIterator()
            let first = try #require(await next(&levels) { $0 != nil })
            _ = try await desktop.run(
                "pactl", "load-module", "module-null-sink", "sink_name=other",
                "sink_properties=device.description=Other")
            _ = try await desktop.run("pactl", "set-default-sink", "other")
            let other = try #require(await next(&levels) { $0 != first && $0 != nil })
            #expect(other.name == "Other")
            await desktop.stop()
            while await levels.next() != nil {}
        }
    }

    @Test(.enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"))
    func withoutAServerThereIsNone() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            await desktop.stop()
            await #expect(throws: (any Error).self) {
                try await PulseDefaultOutput.open(path: desktop.folder + "/run/pulse/native")
            }
        }
    }
}

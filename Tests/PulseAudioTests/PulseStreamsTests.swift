import SoundServers
import Testing

@testable import PulseAudio

/// With real servers, and real programs that play to null sinks.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct PulseStreamsTests {
    private func state(
        _ streams: PulseStreams, _ what: String, until isWanted: (PulseStreams.Snapshot) -> Bool
    ) async throws -> PulseStreams.Snapshot {
        var changes = streams.changes.makeAsyncIterator()
        while true {
            let state = try await streams.read()
            if isWanted(state) { return state }
            guard await changes.next() != nil else { throw SoundServerFailure(description: "the end before \(what)") }
        }
    }

    /// `pw-play` is a client of PipeWire's own.
    @Test(
        arguments: [
            (SoundDesktop.Kind.pulseAudio, ["paplay"]), (.pipeWire, ["paplay"]), (.pipeWire, ["pw-play"]),
        ].filter { SoundDesktop.missing($0.0) == nil })
    func aStreamIsKnownByItsProcessAndMoves(kind: SoundDesktop.Kind, player: [String]) async throws {
        try await SoundDesktop.open(kind) { desktop in
            for name in ["first", "second"] {
                _ = try await desktop.run("pactl", "load-module", "module-null-sink", "sink_name=\(name)")
            }
            _ = try await desktop.run("pactl", "set-default-sink", "first")
            let streams = try await PulseStreams.open(path: desktop.folder + "/run/pulse/native")
            let none = try await state(streams, "two outputs") {
                $0.outputs.contains("second") && $0.defaultOutput == "first"
            }
            #expect(none.streams.isEmpty && none.server != 0)
            let noise = try TestNoise(seconds: 20, in: desktop.folder)
            let program = try desktop.begin(player[0], noise.path)
            let playing = try await state(streams, "the stream") { $0.streams.first?.output == "first" }
            let stream = try #require(playing.streams.first)
            #expect(stream.processID == program.processID && playing.server == none.server)

            try await streams.move(stream.index, to: "second")
            let moved = try await state(streams, "the move") { $0.streams.first?.output == "second" }
            #expect(moved.streams.map(\.index) == [stream.index])
            await #expect(throws: (any Error).self) { try await streams.move(stream.index, to: "nowhere") }
            await #expect(throws: (any Error).self) { try await streams.move(stream.index &+ 1000, to: "first") }
            await program.end()
            _ = try await state(streams, "the end") { $0.streams.isEmpty }
            await desktop.stop()
            for await _ in streams.changes {}
            await #expect(throws: (any Error).self) { try await streams.read() }
            await streams.close()
        }
    }

    /// The connection ends with the last move when the daemon ends.
    @Test(arguments: SoundDesktop.Kind.allCases.filter { SoundDesktop.missing($0) == nil })
    func aMoveIsMadeThoughItsConnectionEndsAtOnce(kind: SoundDesktop.Kind) async throws {
        try await SoundDesktop.open(kind) { desktop in
            for name in ["first", "second"] {
                _ = try await desktop.run("pactl", "load-module", "module-null-sink", "sink_name=\(name)")
            }
            let path = desktop.folder + "/run/pulse/native"
            let watched = try await PulseStreams.open(path: path)
            let noise = try TestNoise(seconds: 60, in: desktop.folder)
            let program = try desktop.begin("paplay", noise.path)
            let playing = try await state(watched, "the stream") { $0.streams.first?.output.isEmpty == false }
            let stream = try #require(playing.streams.first)
            for turn in 0..<20 {
                let output = turn.isMultiple(of: 2) ? "second" : "first"
                let mover = try await PulseStreams.open(path: path)
                try await mover.move(stream.index, to: output)
                await mover.finish()
                _ = try await state(watched, "the move") { $0.streams.first?.output == output }
            }
            await program.end()
            await watched.close()
        }
    }
}

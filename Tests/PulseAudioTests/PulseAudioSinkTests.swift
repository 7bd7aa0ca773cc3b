import Foundation
import SoundFeed
import SoundServers
import Testing

@testable import PulseAudio

/// With a real PulseAudio.
@Suite(
    .enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"),
    .idleProcessor, .timeLimit(.minutes(6)), .serialized)
struct PulseAudioSinkTests {
    private static let id = "9C9BF886-0F68-50F8-8A19-E3F53590DF18"
    private static let node = "mdhost." + id
    private static let sink = ServedSink(id: id, name: "Ann's \"Kitchen\"")

    private func open(_ desktop: SoundDesktop) async throws -> PulseAudioConnection {
        try await PulseAudioConnection.open(
            path: desktop.folder + "/run/pulse/native", folder: desktop.folder + "/run", silence: 2)
    }

    private func next(_ connection: PulseAudioConnection) async -> ServedSinkEvent? {
        for await event in connection.events { return event }
        return nil
    }

    @Test func everySampleComesOut() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            try await connection.show(Self.sink)
            let shown = try await desktop.run("pactl", "list", "sinks").output
            #expect(shown.contains("Description: Ann's \"Kitchen\""), "\(shown)")
            // Twice: from a sink that has just started, and from a running one.
            for seed in [UInt32(1), 9] {
                let noise = try TestNoise(seconds: 4, in: desktop.folder, seed: seed)
                let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
                #expect(await next(connection) == .feed(.sound, id: Self.id))
                let reader = try await connection.open(Self.id)
                let begun = ContinuousClock.now
                let heard = await readAll(reader)
                #expect(await playing.status == 0)
                #expect(begun.duration(to: .now) > .seconds(5), "as fast as it is heard, and two seconds of silence")
                #expect(heard.range(of: noise.samples) != nil)
                #expect(await next(connection) == .feed(.quiet, id: Self.id))
            }
            await connection.close()
            #expect(try await desktop.sinks().isEmpty)
        }
    }

    @Test func whatAKilledProcessLeftIsRemoved() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let others = try await desktop.run(
                "pactl", "load-module", "module-pipe-sink", "sink_name=mdhost.else", "file=\(desktop.folder)/else.pipe")
            #expect(others.status == 0)
            let argument = PipeSinkModule.argument(
                id: "stale", name: "Stale", pipe: desktop.folder + "/run/stale.pipe", rate: 44_100)
            // As the server gets it: the words of a line are one argument.
            #expect(try await desktop.run("pactl", "load-module", "module-pipe-sink", argument).status == 0)
            #expect(try await desktop.sinks() == ["mdhost.else", "mdhost.stale"])
            let connection = try await open(desktop)
            #expect(try await desktop.sinks() == ["mdhost.else"])
            try await connection.show(Self.sink)
            #expect(try await desktop.sinks() == ["mdhost.else", Self.node])
            await connection.remove(Self.id)
            #expect(try await desktop.sinks() == ["mdhost.else"])
            #expect(!FileManager.default.fileExists(atPath: desktop.folder + "/run/\(Self.id).pipe"))
            await connection.close()
        }
    }

    @Test func aServerThatGoesIsTold() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            try await connection.show(Self.sink)
            await desktop.stop()
            #expect(await next(connection) == nil)
            await #expect(throws: SoundServerError.self) { try await connection.show(Self.sink) }
            await connection.close()
            await #expect(throws: SoundServerError.self) { try await open(desktop) }
        }
    }
}

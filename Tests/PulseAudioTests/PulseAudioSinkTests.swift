import Foundation
import SoundFeed
import SoundServers
import TestConditions
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

    @Test func aProgramThatPlaysAlreadyIsHeardFromNowOn() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            #expect(try await desktop.run("pactl", "load-module", "module-null-sink", "sink_name=card").status == 0)
            let connection = try await open(desktop)
            try await connection.show(Self.sink)
            let noise = try TestNoise(seconds: 20, in: desktop.folder, seed: 3)
            let playing = try desktop.begin("paplay", "-d", "card", noise.path)
            await eventually("the program's stream") {
                let moved = try? await desktop.run("pactl", "move-sink-input", "0", Self.node)
                return moved?.status == 0
            }
            for _ in 0..<2 {
                #expect(await next(connection) == .feed(.sound, id: Self.id))
                let reader = try await connection.open(Self.id)
                let waited = try #require(await connection.progress(of: Self.id)).frames
                #expect(waited <= SoundFeed.rate / 10, "not seconds at once")
                close(reader)
                // PulseAudio puts a stream back on a sink of the same name to which it was moved.
                await connection.remove(Self.id)
                try await connection.show(Self.sink)
            }
            await playing.end()
            await connection.close()
        }
    }

    @Test func theLevelIsTheDevices() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            var sink = ServedSink(id: Self.id, name: "Kitchen", hasLevel: true, canMute: true, level: 0.4)
            try await connection.show(sink)
            try await desktop.shows("Volume: front-left: 26214 /  40%")
            #expect(try await desktop.run("pactl", "set-sink-volume", Self.node, "25%").status == 0)
            #expect(await next(connection) == .level(0.25, id: Self.id))
            #expect(try await desktop.run("pactl", "set-sink-mute", Self.node, "1").status == 0)
            #expect(await next(connection) == .muted(true, id: Self.id))
            // The device's own buttons.
            sink.level = 0.75
            try await connection.show(sink)
            try await desktop.shows("Volume: front-left: 49152 /  75%")
            try await desktop.shows("Mute: no")
            // Bit for bit at any level.
            let noise = try TestNoise(seconds: 2, in: desktop.folder, seed: 3)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let heard = await readAll(try await connection.open(Self.id))
            #expect(await playing.status == 0)
            #expect(heard.range(of: noise.samples) != nil)
            await connection.close()
        }
    }

    @Test func aDeviceWithoutALevelIsScaled() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            try await connection.show(Self.sink)
            #expect(try await desktop.run("pactl", "set-sink-volume", Self.node, "50%").status == 0)
            let noise = try TestNoise(seconds: 2, in: desktop.folder, seed: 3)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let heard = await readAll(try await connection.open(Self.id))
            #expect(await playing.status == 0)
            func loudest(_ samples: Data) -> Int {
                samples.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { abs(Int($0)) }.max() ?? 0 }
            }
            #expect(abs(loudest(heard) - loudest(noise.samples) / 8) <= 1)
            await connection.close()
        }
    }

    @Test func theDelayIsTold() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            var sink = Self.sink
            sink.delay = 2.222
            try await connection.show(sink)
            let playing = try desktop.begin(
                "paplay", "-d", Self.node, try TestNoise(seconds: 6, in: desktop.folder).path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let reader = try await connection.open(Self.id)
            async let heard = readAll(reader)
            try await desktop.tells(2.202...2.242)
            sink.delay = 0.5
            try await connection.show(sink)
            try await desktop.tells(0.48...0.52)
            #expect(await playing.status == 0)
            _ = await heard
            await connection.close()
        }
    }

    @Test func aSinkThatPulseAudioRemovedIsShownAgain() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            let connection = try await open(desktop)
            try await connection.show(Self.sink)
            #expect(try await desktop.run("pactl", "unload-module", "module-tunnel-sink").status == 0)
            await eventually("the end of the sink") {
                do throws(SoundServerError) {
                    close(try await connection.open(Self.id))
                    return false
                } catch {
                    return error == .noSink
                }
            }
            try await connection.show(Self.sink)
            #expect(try await desktop.sinks() == [Self.node])
            await connection.remove(Self.id)
            #expect(try await desktop.sinks().isEmpty)
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

extension SoundDesktop {
    fileprivate func shows(_ line: String) async throws {
        try await eventually("\(line)") { try await run("pactl", "list", "sinks").output.contains(line) }
    }

    /// Waits until programs are told a delay, in seconds.
    fileprivate func tells(_ range: ClosedRange<Double>) async throws {
        try await eventually("a delay of \(range) s") {
            let output = try await run("pactl", "list", "sinks").output
            let latency = output.firstMatch(of: /Latency: ([0-9]+) usec/).flatMap { Double($0.1) }
            return latency.map { range.contains($0 / 1_000_000) } ?? false
        }
    }
}

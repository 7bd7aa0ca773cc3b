import Foundation
import SoundFeed
import SoundServers
import Testing

@testable import PipeWire

/// Sinks in a graph with another rate, or with blocks of another length.
extension PipeWireSinkTests {
    /// Plays as mpv and programs of JACK do, which are driven also while they are linked to nothing.
    private func always(_ desktop: SoundDesktop, to node: String, _ noise: TestNoise) throws -> SpawnedProgram {
        try desktop.begin("pw-play", "-P", "{ node.always-process = true }", "--target", node, noise.path)
    }

    private func played(_ heard: Data) -> Double {
        let frames = heard.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).filter { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) != 0 }
        }
        guard let first = frames.first, let last = frames.last else { return 0 }
        return Double(last - first) / 44_100
    }

    @Test(arguments: ["clock.force-quantum 256", "clock.force-rate 48000"])
    func theServersSettingsChangeNoSpeed(_ setting: String) async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let words = setting.split(separator: " ").map(String.init)
            #expect(try await desktop.run("pw-metadata", "-n", "settings", "0", words[0], words[1]).status == 0)
            let connection = try await open(desktop)
            let noise = try TestNoise(seconds: 3, in: desktop.folder)
            let begun = ContinuousClock.now
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let heard = await readAll(try connection.open(Self.id))
            #expect(await playing.status == 0)
            // With two seconds of silence.
            #expect(begun.duration(to: .now) < .seconds(5.7))
            #expect(abs(played(heard) - 3) < 0.05, "\(played(heard))")
            connection.close()
        }
    }

    @Test func aProgramOfAnotherDriverIsHeardAlsoTheSecondTime() async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            for _ in 0..<2 {
                let noise = try TestNoise(seconds: 2, in: desktop.folder)
                let playing = try always(desktop, to: Self.node, noise)
                #expect(await next(connection) == .feed(.sound, id: Self.id))
                let heard = await readAll(try connection.open(Self.id))
                #expect(await playing.status == 0)
                #expect(abs(played(heard) - 2) < 0.1, "\(played(heard))")
                #expect(await next(connection) == .feed(.quiet, id: Self.id))
            }
            // And its rate is gone with it.
            let noise = try TestNoise(seconds: 1, in: desktop.folder)
            let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
            #expect(await next(connection) == .feed(.sound, id: Self.id))
            let heard = await readAll(try connection.open(Self.id))
            #expect(await playing.status == 0)
            #expect(heard.range(of: noise.samples) != nil)
            connection.close()
        }
    }

    /// Another output is as if there were no sink, whether one plays or not.
    @Test(arguments: [false, true])
    func anotherOutputIsUndisturbed(isPlaying: Bool) async throws {
        try await SoundDesktop.open(.pipeWire) { desktop in
            let connection = try await open(desktop)
            #expect(try await desktop.run("pactl", "load-module", "module-null-sink", "sink_name=other").status == 0)
            let noise = try TestNoise(seconds: 6, in: desktop.folder)
            let short = try TestNoise(seconds: 2, in: desktop.folder)
            if isPlaying {
                let playing = try desktop.begin("paplay", "-d", Self.node, noise.path)
                #expect(await next(connection) == .feed(.sound, id: Self.id))
                let reader = try connection.open(Self.id)
                async let heard = readAll(reader)
                let begun = ContinuousClock.now
                #expect(try await always(desktop, to: "other", short).status == 0)
                #expect(begun.duration(to: .now) < .seconds(4))
                #expect(await playing.status == 0)
                #expect(await heard.range(of: noise.samples) != nil)
            } else {
                let begun = ContinuousClock.now
                #expect(try await always(desktop, to: "other", short).status == 0)
                #expect(begun.duration(to: .now) < .seconds(4))
            }
            connection.close()
        }
    }
}

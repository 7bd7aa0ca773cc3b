import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

/// A sink of two shairport-syncs, checked by their samples and times.
extension Product.SinkTests {
    /// Returns the time at which a speaker began to play the noise, once it has played all of it.
    private func beginning(of noise: TestNoise, on speaker: Speaker, since mark: Speaker.Mark) async throws -> Double {
        try await eventually("the last sample on \(speaker.name)") {
            try speaker.played(noise.samples, since: mark)
        }
        return try #require(try speaker.moment(of: noise.samples, since: mark))
    }

    @Test func aGroupPlaysEverySampleInStep() async throws {
        let first = Speaker.shairRoom
        let second = Speaker.shairLocked
        try await open { home, desktop in
            _ = try await home.succeed("pair", second.name, input: "s3cret\n")
            try await first.setFullVolume(home)
            try await second.setFullVolume(home)
            let told = try await home.succeed("sink", "add", first.name, "--with", second.name)
            #expect(told == "Shair Room + Shair Locked is a sink of PipeWire.\n")
            let renamed = try await home.succeed(
                "sink", "add", second.name, "--with", first.name, "--name", "Downstairs")
            #expect(renamed == "Downstairs is a sink of PipeWire.\n")
            #expect(try await sinks(home).count == 1)

            // The next daemon knows no device yet.
            try await home.killDaemon()
            try await eventually("no sink without a daemon") { try await desktop.sinks().isEmpty }
            #expect(try await sinks(home).first?.members?.count == 2)
            let node = try await node(desktop)
            let noise = try TestNoise(seconds: 5, in: home.folder)
            let firstMark = first.mark()
            let secondMark = second.mark()
            #expect(try await desktop.run("paplay", "-d", node, noise.path).status == 0)
            let firstBegin = try await beginning(of: noise, on: first, since: firstMark)
            let secondBegin = try await beginning(of: noise, on: second, since: secondMark)
            let distance = abs(firstBegin - secondBegin)
            print("SINK of a group, apart: \(distance * 1000) ms")
            #expect(distance < 0.005)
            #expect(try await sinks(home).first?.error == nil)
            #expect(try await home.succeed("sink", "remove", "downstairs") == "Removed the sink for Downstairs.\n")
            try await eventually("no sink") { try await desktop.sinks().isEmpty }
            let other = try await home.run("sink", "add", first.name, "--with", "Living Room")
            #expect(other.status == 6 && other.errors.contains("speak different protocols"), "\(other)")
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Two shairport-syncs that play together, checked by their samples and times.
    @Suite struct SpeakerGroupTests {
        private let first = Speaker.shairRoom
        private let second = Speaker.shairLocked

        /// Both at full level, and the second with its password.
        private func prepare(_ home: Household) async throws {
            _ = try await home.succeed("pair", second.name, input: "s3cret\n")
            for speaker in [first, second] { try await speaker.setFullVolume(home) }
        }

        @Test func theyPlayInStep() async throws {
            try await Household.open { home in
                try await prepare(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 10)
                let marks = (first.mark(), second.mark())
                let result = try await home.run("play", first.name, "--with", second.name, file.path)
                #expect(result.status == 0, "\(result)")
                let begins = try [(first, marks.0), (second, marks.1)].map { speaker, mark in
                    #expect(try speaker.played(file.samples, since: mark), "\(speaker.name) played all of it")
                    return try #require(try speaker.moment(of: file.samples, since: mark), "\(speaker.name)")
                }
                print("SPEAKERS apart: \(abs(begins[0] - begins[1]) * 1000) ms")
                #expect(abs(begins[0] - begins[1]) < 0.005)
                #expect(try second.toldText("minm", since: marks.1).last == "Noise & Silence")
            }
        }

        @Test func oneJoinsInStepAndLeaves() async throws {
            try await Household.open { home in
                try await prepare(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 25)
                let marks = (first.mark(), second.mark())
                try await home.succeed("play", first.name, file.path, "--detach")
                try await home.session(on: first.name, "2 s heard") { $0.playback.position(at: monotonicNow()) > 2 }
                try await home.succeed("group", "join", second.name, first.name)
                try await home.session(on: first.name, "12 s heard", within: .seconds(20)) {
                    $0.playback.position(at: monotonicNow()) > 12
                }
                let part = file.samples.dropFirst(9 * 176_400).prefix(2 * 176_400)
                let begins = try [(first, marks.0), (second, marks.1)].map { speaker, mark in
                    try #require(try speaker.moment(of: Data(part), since: mark), "\(speaker.name)")
                }
                print("SPEAKERS apart after joining: \(abs(begins[0] - begins[1]) * 1000) ms")
                #expect(abs(begins[0] - begins[1]) < 0.005)
                // The leader leaves, and the other continues.
                try await home.succeed("group", "leave", first.name)
                try await eventually("the end for one") { try !first.told("pend", since: marks.0).isEmpty }
                try await home.session(on: second.name, "16 s heard", within: .seconds(20)) {
                    $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 16
                }
                try await home.succeed("stop", second.name)
            }
        }

        @Test func theLostOneComesBackAndTheOtherPlaysOn() async throws {
            try await Household.open { home in
                try await prepare(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 25)
                let begin = first.mark()
                try await home.succeed("play", first.name, "--with", second.name, file.path, "--detach")
                try await home.session(on: first.name, "3 s heard") { $0.playback.position(at: monotonicNow()) > 3 }
                try await RealReceivers.end("shairport-locked", on: "b", signal: "KILL")
                try await eventually("it is missed") { try await home.device(second.name).activation == "reconnecting" }
                try await RealReceivers.start()
                try await eventually("it is back", within: .seconds(20)) {
                    try await home.device(second.name).activation == "active"
                }
                let mark = second.mark()
                try await home.session(on: first.name, "16 s heard", within: .seconds(30)) {
                    $0.playback.position(at: monotonicNow()) > 16
                }
                #expect(try first.played(file.samples.prefix(14 * 176_400), since: begin), "without a gap")
                #expect(try second.samples(since: mark).contains { $0 != 0 })
                try await home.succeed("stop", first.name)
            }
        }
    }
}

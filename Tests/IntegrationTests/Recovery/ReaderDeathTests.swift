import Foundation
import Glibc
import HostClient
import HostInterface
import SoundServers
import Synchronization
import Testing

extension Product {
    /// The program that decodes is killed at random moments while a file plays: another one continues, and nothing is lost.
    ///
    /// `MDHOST_READER_KILLS` sets the number of kills (4); the seed is printed, and `MDHOST_FAULT_SEED` repeats the moments.
    @Suite struct ReaderDeathTests {
        private static let reader = "mdhost-reader"
        /// Longer than the kills take, which are one to two seconds apart.
        private static func file(_ home: Household) async throws -> NoiseFile {
            try await NoiseFile.make(home.folder + "/noise.flac", seconds: 2 * FaultPlan.readerKills + 4)
        }

        /// Kills each reader that plays on the device, at a random moment.
        private static func killReaders(_ home: Household, on device: String) async throws {
            var chance = Chance(state: FaultPlan.seed)
            var killed: Set<Int32> = []
            try await home.session(on: device, "playing") { $0.playback.isPlaying && !$0.playback.isBuffering }
            for kill in 1...FaultPlan.readerKills {
                let moment = monotonicNow() + 1 + Double(chance.next(below: 1_000)) / 1_000
                try await eventually("the moment") { monotonicNow() >= moment }
                var reader: Int32?
                try await eventually("the reader of kill \(kill), seed \(FaultPlan.seed)") {
                    reader = try home.children(named: Self.reader).first { !killed.contains($0) }
                    return reader != nil
                }
                let number = try #require(reader)
                killed.insert(number)
                Glibc.kill(number, SIGKILL)
            }
        }

        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
        func theHostDeliversEverySample() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await Self.file(home)
                try await home.succeed("play", RawSpeaker.name, file.path, "--detach")
                try await Self.killReaders(home, on: RawSpeaker.name)
                try await eventually("the end", within: .seconds(30 + 2 * FaultPlan.readerKills)) {
                    try await home.sessions().isEmpty
                }
                #expect(speaker.received == file.samples, "every sample, in order, once")
                let gaps = try RecordedSamples(path: speaker.file).gaps()
                let (longest, total) = (gaps.max() ?? 0, gaps.reduce(0, +))
                print(
                    "READERS of the host: \(FaultPlan.readerKills) killed, seed \(FaultPlan.seed);",
                    "\(gaps.count) gaps, the longest \(longest) s, \(total) s in all")
                #expect(longest <= Double(slowness))
                try await home.quit()
            }
        }

        @Test func anExtensionDeliversEverySample() async throws {
            let speaker = Speaker.shairRoom
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await Self.file(home)
                let begin = speaker.mark()
                try await home.succeed("play", speaker.name, file.path, "--detach")
                try await Self.killReaders(home, on: speaker.name)
                try await eventually("the end", within: .seconds(30 + 2 * FaultPlan.readerKills)) {
                    try !speaker.told("pend", since: begin).isEmpty
                }
                #expect(try speaker.played(file.samples, since: begin), "completely")
                print("READERS of AirPlay: \(FaultPlan.readerKills) killed, seed \(FaultPlan.seed)")
                try await home.quit()
            }
        }

        /// As if the file made each of them crash.
        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
        func aFileThatNoneSurvivesEndsWithAnError() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 30)
                let player = try home.start("play", RawSpeaker.name, file.path)
                try await home.session(on: RawSpeaker.name, "1 s heard") {
                    $0.playback.position(at: monotonicNow()) > 1
                }
                let status = Mutex<Int32?>(nil)
                Task {
                    let exit = await player.waitForExit()
                    status.withLock { $0 = exit }
                }
                // Without commands in between: a reader that lives long enough counts as one that works.
                try await eventually("the end") {
                    for reader in try home.children(named: Self.reader) { Glibc.kill(reader, SIGKILL) }
                    return status.withLock { $0 != nil }
                }
                #expect(status.withLock { $0 != 0 })
                #expect(player.errors.contains("the program that decodes it failed"), "\(player.errors)")
                try await eventually("no session") { try await home.sessions().isEmpty }
                let received = speaker.received
                #expect(received.count < file.samples.count && received == file.samples.prefix(received.count))
                try await home.quit()
            }
        }

        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
        func aStreamEndsWithAnError() async throws {
            try await RawSpeaker.open { home, _, speaker in
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 30)
                let script = "cat '\(file.path)' | '\(Household.mdhost)' stream '\(RawSpeaker.name)'"
                let player = try RunningCommand(["/bin/bash", "-c", script], environment: home.environment)
                try await eventually("a second of it") { speaker.received.count > 176_400 }
                for reader in try home.children(named: Self.reader) { Glibc.kill(reader, SIGKILL) }
                #expect(await player.waitForExit() != 0)
                #expect(player.errors.contains("a stream can't be read again"), "\(player.errors)")
                let received = speaker.received
                #expect(received.count < file.samples.count && received == file.samples.prefix(received.count))
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }
    }
}

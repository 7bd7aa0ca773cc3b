import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// `examples/raw-speaker`, a third-party extension that takes samples only.
    @Suite(
        .enabled(
            if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
    struct SampleTests {
        private static let name = RawSpeaker.name
        private static let `extension` = "org.example.raw-speaker"

        private func open(_ body: (Household, SoundDesktop, RawSpeaker) async throws -> Void) async throws {
            try await RawSpeaker.open(.pipeWire, body)
        }

        @Test func everySampleOfAProgramArrives() async throws {
            try await open { home, desktop, speaker in
                try await home.succeed("sink", "add", Self.name)
                let noise = try TestNoise(seconds: 4, in: home.folder)
                let node = try await SinkTests().node(desktop)
                let played = try await desktop.run("paplay", "-d", node, noise.path)
                #expect(played.status == 0, "\(played)")
                let session = try await home.session(on: Self.name, "playing") { $0.playback.isPlaying }
                #expect(session.playback.isLive && session.source == "stream:")
                try await eventually("the last sample") { speaker.received.range(of: noise.samples) != nil }
                // Its volume is none of the extension's business, and a pause is impossible.
                let paused = try await home.run("pause", Self.name)
                #expect(paused.status != 0 && paused.errors.contains("Live sound can only be stopped."), "\(paused)")
                // The silence after it.
                try await eventually("the end", within: .seconds(25)) { try await home.sessions().isEmpty }
                try await eventually("the word about the quality") {
                    try await home.device(Self.name).lastDeliveryPassed == true
                }
                #expect(try await SinkTests().sinks(home).first?.error == nil)
                #expect(
                    try await ArticleDevice.log("requests", of: Self.extension, home) == [
                        "notice activate Raw Room for [realtime-audio]", "notice start the delivery",
                        "notice stop the delivery", "notice deactivate Raw Room",
                    ])
            }
        }

        @Test func aStreamEndsByItself() async throws {
            try await open { home, _, speaker in
                let noise = try TestNoise(seconds: 4, in: home.folder)
                try noise.samples.write(to: URL(filePath: home.folder + "/noise.raw"))
                let script =
                    "cat '\(home.folder)/noise.raw' | '\(Household.mdhost)' stream '\(Self.name)' --format s16le"
                let result = try await Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(30))
                #expect(result.status == 0, "\(result)")
                try await eventually("the last sample") { speaker.received.range(of: noise.samples) != nil }
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test func aSpeakerThatLeavesIsTold() async throws {
            try await open { home, _, speaker in
                let script = "cat /dev/zero | '\(Household.mdhost)' stream '\(Self.name)' --format s16le"
                async let streamed = Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(60))
                try await home.session(on: Self.name, "playing") { $0.playback.isPlaying }
                await speaker.stop()
                let result = try await streamed
                #expect(result.status != 0 && result.errors.contains("left the connection"), "\(result)")
            }
        }
    }
}

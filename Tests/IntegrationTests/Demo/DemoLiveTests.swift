import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// Live sound and the screen on `mdhost demo`, which keeps what it receives.
    @Suite struct DemoLiveTests {
        @Test func everySampleOfAStreamArrives() async throws {
            try await Household.open { home in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 6)
                let heard = home.folder + "/heard.raw"
                let demo = try await DemoDevice.open(home, "--name", "Loud Study", "--open", "--record", heard)
                let script =
                    "cat '\(file.path).raw' | '\(Household.mdhost)' stream 'Loud Study' --format s16le --title Noise"
                let result = try await Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(40))
                #expect(result.status == 0, "\(result)")
                #expect(FileManager.default.contents(atPath: heard)?.range(of: file.samples) != nil)
                try await demo.tells { $0.event == "playing" && $0.title == "Noise" }
                try await demo.tells("ended")
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        /// A program plays to the sink of a group, and each of its devices gets every sample.
        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil && SoundDesktop.missing(.pulseAudio) == nil,
                "needs PipeWire, WirePlumber, PulseAudio and its utilities"))
        func aSinkOfTwoIsHeardOnBoth() async throws {
            try await Product.SinkTests().open { home, desktop in
                let names = ["Left Study", "Right Study"]
                let files = names.map { "\(home.folder)/\($0).raw" }
                var demos: [DemoDevice] = []
                for (name, file) in zip(names, files) {
                    demos.append(
                        try await DemoDevice.open(home, "--name", name, "--open", "--speaker", "--record", file))
                }
                try await home.succeed(
                    "sink", "add", names[0], "--with", names[1], "--name", "Studies", "--latency", "1000")
                let noise = try TestNoise(seconds: 4, in: home.folder, seed: 5)
                let node = try await Product.SinkTests().node(desktop)
                #expect(try await desktop.run("paplay", "-d", node, noise.path).status == 0)
                for file in files {
                    try await eventually("all of the noise") {
                        FileManager.default.contents(atPath: file)?.range(of: noise.samples) != nil
                    }
                }
                try await home.succeed("sink", "remove", "Studies")
                for demo in demos { #expect(await demo.close() == 0) }
                try await home.quit()
            }
        }

        /// As of a microphone that was open while the device was being connected.
        @Test func whatWasWrittenBeforeIsNotHeard() async throws {
            try await Household.open { home in
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 2)
                let heard = home.folder + "/heard.raw"
                let demo = try await DemoDevice.open(home, "--name", "Live Study", "--open", "--record", heard)
                let noise = "'\(file.path).raw'"
                let script =
                    "(head -c 60000 \(noise); until [[ -e '\(heard)' ]]; do sleep 0.1; done; sleep 1; cat \(noise))"
                    + " | '\(Household.mdhost)' stream 'Live Study' --format s16le --live"
                let result = try await Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(40))
                #expect(result.status == 0, "\(result)")
                #expect(FileManager.default.contents(atPath: heard) == file.samples)
                let old = try await home.run("stream", "Live Study", "--live")
                #expect(old.status == 64 && old.errors.contains("--live with raw samples"), "\(old)")
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        @Test func itIsNoFasterThanItsLeastLatency() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Fast Study", "--open")
                let described = try await home.run("status", "Fast Study")
                #expect(described.output.contains("from 100 ms for live sound"), "\(described)")
                let script =
                    "cat /dev/zero | '\(Household.mdhost)' stream 'Fast Study' --format s16le --latency 20 --detach"
                async let result = Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(40))
                try await home.session(on: "Fast Study", "its latency") { $0.quality?.latency == 0.1 }
                try await home.succeed("stop", "Fast Study")
                let errors = try await result.errors
                #expect(errors.contains("Fast Study isn't faster than 100 ms."), "\(errors)")
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        /// The pictures show the time at which they were painted.
        @Test(.enabled(if: access("/usr/bin/Xvfb", X_OK) == 0, "needs Xvfb"))
        func theScreenArrivesInTime() async throws {
            try await Household.open { home in
                let pictures = home.folder + "/pictures.h264"
                let demo = try await DemoDevice.open(
                    home, "--name", "Screen Study", "--open", "--record-pictures", pictures)
                try await TestDesktop.showingTheTime {
                    let command = try home.start(
                        "screen", "Screen Study", "--display", TestDesktop.display, "--no-sound")
                    let session = try await home.session(on: "Screen Study", "past 4 s", within: .seconds(30)) {
                        $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > 4
                    }
                    #expect(session.playback.isLive && session.quality?.latency == 0.3)
                    command.send(SIGINT)
                    #expect(await command.waitForExit() == 0, "\(command.errors)")
                    let name = "the X display \(TestDesktop.display) (1280x720) without sound on Screen Study"
                    #expect(command.errors.contains("Showing " + name), "\(command.errors)")
                }
                try await demo.tells("ended")
                let times = try await TestDesktop.times(in: pictures)
                #expect(times.count >= 40)
                let begun = try #require(demo.lines.first { $0.event == "playing" && $0.rate == "1.0" })
                let due = try #require(begun.time.flatMap(Double.init)) - (begun.position.flatMap(Double.init) ?? 0)
                let delay = TestDesktop.milliseconds(from: try #require(times.first), to: Int(due * 1000))
                print("DEMO SCREEN: \(times.count) pictures, the first due \(delay) ms after its painting")
                // 300 ms after its capture.
                #expect((300...1500).contains(delay), "\(delay)")
                #expect(try await home.sessions().isEmpty)
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }

        @Test func aDeviceThatPlaysOnlyURLsGetsAStream() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Old Study", "--open", "--no-live")
                let script =
                    "head -c 700000 /dev/zero | '\(Household.mdhost)' stream 'Old Study' --format s16le"
                let result = try await Command.run(
                    ["/bin/bash", "-c", script], environment: home.environment, within: .seconds(40))
                #expect(result.status == 0, "\(result)")
                try await demo.tells { $0.event == "fetching" && $0.url?.hasPrefix("http://") == true }
                let screen = try await home.run("screen", "Old Study", "--display", TestDesktop.display)
                #expect(screen.status != 0, "\(screen)")
                #expect(await demo.close() == 0)
                try await home.quit()
            }
        }
    }
}

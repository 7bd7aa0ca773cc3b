import Foundation
import HostClient
import HostInterface
import SoundServers
import Testing

extension Product {
    /// `mdhost screen` to a simulated Google Cast device, which keeps the pictures that it receives. FFmpeg decodes them.
    @Suite(.enabled(if: access("/usr/bin/Xvfb", X_OK) == 0, "needs Xvfb"))
    struct CastScreenTests {
        private func silentScreen(_ device: CastDevice, _ home: Household) throws -> RunningCommand {
            try home.start("screen", device.name, "--display", TestDesktop.display, "--no-sound")
        }

        private func open(
            _ name: String, _ arguments: String...,
            body: (Household, CastDevice, _ pictures: String) async throws -> Void
        ) async throws {
            try await Household.open { home in
                let pictures = home.folder + "/pictures.h264"
                let all = ["--record-pictures", pictures] + arguments
                try await CastDevice.run(named: name, all, in: home) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == name } }
                    try await TestDesktop.showingTheTime { try await body(home, device, pictures) }
                    try await home.quit()
                }
            }
        }

        private func position(past seconds: Double) -> (ClientSession) -> Bool {
            { $0.playback.isPlaying && $0.playback.position(at: monotonicNow()) > seconds }
        }

        /// Without loss, and with every 50th datagram lost in both directions.
        @Test(arguments: [0, 2]) func everyPictureArrivesInTime(_ loss: Int) async throws {
            try await open("Screen Cast", "--loss", "\(loss)") { home, device, pictures in
                let command = try silentScreen(device, home)
                try await device.tells("the app", within: .seconds(30)) {
                    $0.event == "launched" && $0.app == "Chrome Mirroring"
                }
                let session = try await home.session(
                    on: device.name, "past 4 s", within: .seconds(30), where: position(past: 4))
                #expect(session.playback.isLive && session.source == "stream:")
                command.send(SIGINT)
                #expect(await command.waitForExit() == 0, "\(command.errors)")
                #expect(
                    command.errors.contains("Showing the X display \(TestDesktop.display) (1280x720) without sound"))
                try await device.tells("the end") { $0.event == "app-ended" }
                let shown = try #require(device.events.last { $0.event == "shown" })
                #expect(shown.lost == 0 && (shown.played ?? 0) >= 40, "\(shown)")
                let times = try await TestDesktop.times(in: pictures)
                #expect(times.count == shown.played)
                #expect(zip(times, times.dropFirst()).allSatisfy { TestDesktop.milliseconds(from: $0, to: $1) < 5000 })
                let due = try #require(device.events.first { $0.event == "showing" }?.due)
                let delay = TestDesktop.milliseconds(from: try #require(times.first), to: Int(due * 1000))
                print(
                    "CAST SCREEN at \(loss) % loss: \(times.count) pictures, the first due \(delay) ms after its painting"
                )
                // 400 ms after its capture.
                #expect((400...1500).contains(delay), "\(delay)")
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test func itGoesOnWhenTheExtensionDies() async throws {
            try await open("Dying Cast") { home, device, pictures in
                let command = try silentScreen(device, home)
                try await home.session(on: device.name, "playing", within: .seconds(30), where: position(past: 1))
                try await home.killExtension("org.mdhost.googlecast")
                try await eventually("it is shown again", within: .seconds(30)) {
                    device.events.count { $0.event == "showing" } == 2
                }
                try await home.succeed("stop", device.name)
                _ = await command.waitForExit()
                try await eventually("the end") { device.events.count { $0.event == "shown" } == 2 }
                // It begins with a key picture: all are decoded.
                let shown = try #require(device.events.last { $0.event == "shown" })
                #expect(try await TestDesktop.times(in: pictures).count == shown.played)
            }
        }

        @Test func aRefusalIsASentence() async throws {
            try await open("Blind Cast", "--fail", "stream") { home, device, _ in
                let command = try silentScreen(device, home)
                #expect(await command.waitForExit() != 0)
                #expect(command.errors.contains("doesn't accept live video"), "\(command.errors)")
                #expect(try await home.sessions().isEmpty)
            }
        }

        /// Another sender's app takes the place of the screen.
        @Test(.enabled(if: CastDevice.hasOtherSender, "needs pychromecast")) func anotherAppEndsIt() async throws {
            try await open("Taken Cast") { home, device, _ in
                let command = try silentScreen(device, home)
                try await home.session(on: device.name, "playing", within: .seconds(30), where: position(past: 1))
                try await device.otherSender("launch", "233637DE")
                _ = await command.waitForExit()
                #expect(command.output.contains("YouTube") || command.errors.contains("YouTube"), "\(command.errors)")
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test(
            .enabled(
                if: SoundDesktop.missing(.pipeWire) == nil, "needs PipeWire, WirePlumber and PulseAudio's utilities"))
        func theSoundIsHeardWithThePictures() async throws {
            try await Product.SinkTests().open { home, desktop in
                let (pictures, sound) = (home.folder + "/pictures.h264", home.folder + "/heard.raw")
                try await CastDevice.run(
                    named: "Loud Cast", ["--record-pictures", pictures, "--record", sound], in: home
                ) { device in
                    try await eventually("the device") { try await home.discover().contains { $0.name == device.name } }
                    try await TestDesktop.showingTheTime {
                        let command = try home.start("screen", device.name, "--display", TestDesktop.display)
                        try await home.session(
                            on: device.name, "playing", within: .seconds(30), where: position(past: 1))
                        let tone = home.folder + "/tone.wav"
                        try await LabMedia.make(tone, frequency: 1000, seconds: 2)
                        let played = try await desktop.run("paplay", tone)
                        #expect(played.status == 0, "\(played)")
                        try await eventually("the tone") {
                            let heard = FileManager.default.contents(atPath: sound) ?? Data()
                            return heard.withUnsafeBytes { $0.bindMemory(to: Int16.self).max() ?? 0 } > 2500
                        }
                        command.send(SIGINT)
                        #expect(await command.waitForExit() == 0, "\(command.errors)")
                        try await device.tells("pictures") { $0.event == "shown" && $0.lost == 0 }
                        try await device.tells("sound") { $0.event == "streamed" && ($0.played ?? 0) > 50 }
                    }
                }
            }
        }
    }
}

extension TestDesktop {
    /// Returns the time between two times, which begin anew after more than two hours.
    static func milliseconds(from earlier: Int, to later: Int) -> Int { (later - earlier) & (1 << 23 - 1) }

    /// Decodes a file of pictures, and reads the time in each.
    ///
    /// - Returns: The times at which they were painted, in milliseconds of `CLOCK_MONOTONIC`: the last 23 bits.
    static func times(in path: String) async throws -> [Int] {
        let rows = path + ".rows"
        // The row of pixels in the middle of each picture.
        let result = try await Command.run(
            [
                "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "h264", "-i", path, "-vf",
                "crop=iw:2:0:ih/2,format=gray", "-fps_mode", "passthrough", "-f", "rawvideo", rows,
            ], within: .seconds(60))
        try #require(result.status == 0 && result.errors.isEmpty, "\(result)")
        let (width, squares) = (1280, 24)
        let pixels = try Data(contentsOf: URL(filePath: rows))
        return try stride(from: 0, to: pixels.count, by: width * 2).map { row in
            let bits = (0..<squares).map { square in
                pixels[row + (2 * square + 1) * (width / squares * squares) / (2 * squares)] > 128
            }
            // The last square makes the number of white ones even.
            try #require(bits.count { $0 }.isMultiple(of: 2), "picture \(row / width / 2) shows no time")
            return bits.dropLast().enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
        }
    }
}

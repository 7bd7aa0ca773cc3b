import Foundation
import HostClient
import Testing

extension Product {
    /// The simulated Google Cast device, controlled by independent senders to validate the simulation.
    @Suite struct CastPeersTests {
        /// The program of scripts/setup, with its own pychromecast.
        private static let catt =
            (ProcessInfo.processInfo.environment["MDHOST_PEERS"] ?? "/tmp/mdhost-peers-\(getuid())") + "/bin/catt"
        private static let vlc = "/usr/bin/cvlc"
        private static let mkchromecast = "/usr/bin/mkchromecast"
        /// The message of mkchromecast when its connection has broken.
        private static let reset = "Error communicating with socket, resetting connection"

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: catt), "needs catt: scripts/setup test"))
        func cattDrivesIt() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Cat Cast", in: home) { device in
                    func catt(_ words: String...) async throws {
                        var result: CommandResult
                        var attempts = 0
                        // It writes to one TLS connection from two threads, and Python before 3.13 doesn't keep them
                        // apart: now and then, the device gets a record that it can't decrypt.
                        repeat {
                            result = try await Command.run(
                                [Self.catt, "-d", device.name] + words, within: .seconds(30))
                            attempts += 1
                        } while attempts < 4 && result.status != 0
                            && "\(result)".contains("EOF occurred in violation of protocol")
                        try #require(result.status == 0, "\(words): \(result)")
                    }
                    try await catt("cast", CastDevice.clip)
                    try await device.plays("PLAYING")
                    try await catt("pause")
                    try await device.plays("PAUSED")
                    // catt seeks only in media that the device calls buffered, and doesn't say so itself.
                    try await catt("seek", "12")
                    try await device.tells("a range") { $0.event == "fetched" && ($0.from ?? 0) > 0 }
                    try await catt("volume", "30")
                    try await device.tells("30 %") { $0.event == "volume" && abs(($0.level ?? 0) - 0.3) < 0.01 }
                    try await catt("play")
                    try await device.plays("PLAYING")
                    try await catt("stop")
                    try await device.tells("the end of the app") { $0.event == "app-ended" }
                }
            }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: vlc), "needs vlc-bin and vlc-plugin-base"))
        func vlcDrivesIt() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Cone Cast", "--port", "8019", in: home) { device in
                    let output = "#chromecast{ip=10.77.0.3,port=8019}"
                    // It refuses to run as root.
                    let user =
                        getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
                    let result = try await Command.run(
                        user + [
                            "/usr/bin/env", "HOME=/nonexistent", Self.vlc, "--sout", output,
                            "--demux-filter=demux_chromecast", CastDevice.clip, "vlc://quit",
                        ], within: .seconds(50))
                    #expect(result.status == 0, "\(result)")
                    // It asks for the signature of the device, then passes the media on from a server of its own.
                    try await device.tells("its media") {
                        $0.event == "loading" && $0.streamType == "LIVE"
                            && $0.url?.contains(":8010/chromecast/") == true
                    }
                    try await device.tells("the media") {
                        $0.event == "fetched" && $0.status == 200 && ($0.bytes ?? 0) > 10_000
                    }
                }
            }
        }

        /// It has no seek, and pauses only video, by stopping its own encoder.
        @Test(
            .enabled(
                if: FileManager.default.isExecutableFile(atPath: mkchromecast), "needs mkchromecast: scripts/setup test"
            ))
        func mkchromecastDrivesIt() async throws {
            try await Household.open { home in
                try await CastDevice.run(named: "Make Cast", in: home) { device in
                    // It takes its keys from a terminal.
                    let words =
                        "\(Self.mkchromecast) -c mp3 --source-url \(LabMedia.mp3) -n '\(device.name)' --host 10.77.0.4 --control"
                    let keyboard = try Keyboard(in: home.folder)
                    func started() throws -> RunningCommand {
                        try RunningCommand(
                            ["/bin/bash", "-c", "exec script -qec \"\(words)\" /dev/null <'\(keyboard.path)'"],
                            environment: ["HOME": home.folder])
                    }
                    var command = try started()
                    // Its pychromecast writes from two threads as catt's does, and doesn't repeat what got lost.
                    for _ in 1..<4 {
                        let isLoading = { device.events.contains { $0.event == "loading" } }
                        let isBroken = { [command] in command.output.contains(Self.reset) }
                        try? await eventually("its media", within: .seconds(40)) { isLoading() || isBroken() }
                        guard !isLoading(), isBroken() else { break }
                        await command.stop()
                        command = try started()
                    }
                    let result: Result<Void, any Error>
                    do {
                        try await device.tells("its media", within: .seconds(40)) {
                            $0.event == "loading" && $0.url == LabMedia.mp3 && $0.contentType == "audio/mpeg"
                                && $0.streamType == "LIVE"
                        }
                        try await device.plays("PLAYING")
                        // A key before it waits for one is lost.
                        func repeated(_ key: String, _ fits: @escaping ([CastDevice.Event]) -> Bool) async throws {
                            var presses = 0
                            try await eventually("the key \(key)", within: .seconds(30)) {
                                presses += 1
                                if presses % 20 == 1 { keyboard.type(key) }
                                return fits(device.events)
                            }
                        }
                        func levels(_ events: [CastDevice.Event]) -> [Double] {
                            events.filter { $0.event == "volume" }.compactMap(\.level)
                        }
                        try await repeated("u") { (levels($0).first ?? 0) > 0.55 }
                        try await repeated("d") { (levels($0).last ?? 1) < 0.55 }
                        try await repeated("q") { $0.contains { $0.event == "app-ended" } }
                        result = .success(())
                    } catch {
                        let words = command.output.suffix(2000)
                        result = .failure(WaitedInVain(description: "\(error); it said: \(words)"))
                    }
                    await command.stop()
                    try result.get()
                }
            }
        }
    }
}

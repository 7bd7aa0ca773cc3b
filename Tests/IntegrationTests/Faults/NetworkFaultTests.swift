import Foundation
import HostClient
import Testing

extension Product {
    /// Receivers that are given another name, and a machine that loses its network for a while.
    @Suite struct NetworkFaultTests {
        /// It restarts for that and resumes its playback; the password isn't requested again.
        @Test(.reports(.renamed)) func aServerIsGivenAnotherNameWhileItPlays() async throws {
            try await Household.open { home in
                try await home.succeed("pair", "MPD Room", input: "sesame\n")
                try await home.succeed("play", "--detach", "MPD Room", LabMedia.flac)
                var renamed: RunningCommand?
                let result: Result<Void, any Error>
                do {
                    try await FaultTrial.run(
                        .renamed, "and started anew (MPD)", on: home, playing: [Witness(.lockedRoom)],
                        expecting: .nothing, keepsName: false
                    ) { trial in
                        try await RealReceivers.end("mpd", on: "c")
                        trial.strikes()
                        renamed = try Self.start("Music Room")
                        trial.isMended()
                        try await trial.shows("discover", "“Music Room” ready")
                        try await eventually("what is asked of it is done", within: .seconds(20)) {
                            let paused = try await home.run("pause", "Music Room")
                            let state = try await MusicServer.lockedRoom.state()
                            return paused.status == 0 && state == "paused"
                        }
                        trial.hasRecovered()
                    }
                    #expect(try await MusicServer.lockedRoom.address() == LabMedia.flac)
                    #expect(try await home.discover().allSatisfy { $0.name != "MPD Room" })
                    try await home.succeed("stop", "Music Room")
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await renamed?.stop()
                try await RealReceivers.start()
                try result.get()
            }
        }

        @Test(.reports(.renamed)) func aRendererIsGivenAnotherName() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["Living Room"])
                var renamed: RunningCommand?
                let result: Result<Void, any Error>
                do {
                    try await FaultTrial.run(
                        .renamed, "and started anew (DLNA)", on: home, devices: ["Living Room"], expecting: .nothing,
                        keepsName: false
                    ) { trial in
                        try await RealReceivers.end("gmediarender", on: "a")
                        trial.strikes()
                        renamed = try RunningCommand([
                            LabHost.script, "in", "a", "gmediarender", "--interface-name", "eth0",
                            "--friendly-name", "Salon", "--port", "49494", "--uuid",
                            "6d64686f-7374-4c61-8000-00000000000a", "--gstout-videosink=fakesink",
                            "--gstout-audiosink=fakesink",
                        ])
                        trial.isMended()
                        try await trial.recovers("discover", "“Salon” ready")
                    }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await renamed?.stop()
                try await RealReceivers.start()
                watch.close()
                try result.get()
            }
        }

        /// The machine of the daemon: devices play on, as their media come from elsewhere.
        @Test(.reports(.interfaceDown)) func thisMachineLosesItsNetworkForAWhile() async throws {
            let host = try await LabHost.up("e")
            try await PrivateDaemon.run(on: host, watching: true) { daemon in
                let names = ["Open Room", "Living Room"]
                for name in names { try await daemon.awaitDevice(name) }
                let played = try await daemon.mdhost("play", "--detach", "Open Room", LabMedia.flac)
                try #require(played.status == 0, "\(played)")
                try await FaultTrial.run(
                    .interfaceDown, on: daemon, devices: Set(names), playing: [Witness(.openRoom)]
                ) { trial in
                    try await Self.perform(host, "ip link set eth0 down")
                    trial.strikes()
                    try await trial.shows("discover", "unreachable", within: .seconds(10))
                    try await Self.perform(
                        host,
                        """
                        ip link set eth0 up && ip -6 address replace fd77::\(host.address.split(separator: ".")[3])/64 \
                        dev eth0 nodad && ip route replace default via 10.77.0.254 &&
                        ip route replace 224.0.0.0/4 dev eth0
                        """)
                    trial.isMended()
                    for name in names { try await daemon.awaitDevice(name) }
                    trial.tells("pause", try await daemon.mdhost("pause", "Open Room"))
                    try await MusicServer.openRoom.awaitState("paused")
                    _ = try await daemon.mdhost("resume", "Open Room")
                    trial.hasRecovered()
                    try await MusicServer.openRoom.awaitState("playing")
                }
                let stopped = try await daemon.mdhost("stop", "Open Room")
                #expect(stopped.status == 0, "\(stopped)")
            }
            try await LabHost.down("e")
        }

        private static func perform(_ host: LabHost, _ script: String) async throws {
            let result = try await Command.run(host.command(["sh", "-c", script]))
            try #require(result.status == 0, "\(script): \(result)")
        }

        /// Starts the lab's locked MPD as it is set up but for its name.
        private static func start(_ name: String) throws -> RunningCommand {
            let folder = LabHost.folder + "/c/mpd"
            let settings = try String(contentsOfFile: folder + "/mpd.conf", encoding: .utf8)
            let renamed = settings.replacing("zeroconf_name \"MPD Room\"", with: "zeroconf_name \"\(name)\"")
            try #require(renamed != settings)
            try Data(renamed.utf8).write(to: URL(filePath: folder + "/renamed.conf"))
            return try RunningCommand([
                LabHost.script, "in", "c", "env", "HOME=" + folder, "mpd", "--no-daemon", folder + "/renamed.conf",
            ])
        }
    }
}

import Foundation
import Testing

extension Product {
    /// An avahi-daemon that is killed and restarted: browsers have to be created again.
    @Suite struct AvahiRestartTests {
        @Test(.reports(.avahiRestarted)) func onlyWhatDiffersIsTold() async throws {
            let host = try await LabHost.up("e")
            try await PrivateDaemon.run(on: host, watching: true) { daemon in
                try await daemon.awaitDevice("MPD Room")
                try await daemon.awaitDevice("Open Room")
                let played = try await daemon.mdhost("play", "MPD Room", LabMedia.flac, "--detach", input: "sesame\n")
                try #require(played.status == 0, "\(played)")
                try await FaultTrial.run(.avahiRestarted, on: daemon, playing: [Witness(.lockedRoom)]) { trial in
                    try await Self.perform("pkill", "-KILL", "avahi-daemon")
                    trial.strikes()
                    try await trial.shows("status", "Avahi")
                    // Events during the restart reach no daemon.
                    try await RealReceivers.end("mpd-open", on: "c")
                    let isListed = try await daemon.device("MPD Room") != nil
                    #expect(isListed, "what answers is there, whether it is announced or not")
                    try await Self.perform(
                        "avahi-daemon", "--file=\(LabHost.folder)/e/avahi.conf", "--daemonize", "--no-rlimits",
                        "--no-drop-root", "--no-chroot")
                    trial.isMended()
                    try await trial.recovers("status", "no problem")
                    try await eventually("the loss of what went", within: .seconds(30)) {
                        try await daemon.device("Open Room") == nil
                    }
                }
                let stopped = try await daemon.mdhost("stop", "MPD Room")
                #expect(stopped.status == 0, "\(stopped)")
                try await RealReceivers.start()
                try await daemon.awaitDevice("Open Room")
                let manager = try await daemon.status()["daemon"] as? [String: Any]
                #expect((manager?["problems"] as? [Any])?.isEmpty == true)
            }
            try await LabHost.down("e")
        }

        private static func perform(_ words: String...) async throws {
            let result = try await Command.run([LabHost.script, "in", "e"] + words)
            try #require(result.status == 0, "\(words): \(result)")
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// An extension dies while its devices play: they play on, and are under control again.
    @Suite struct ExtensionDeathTests {
        private func recovers(_ witness: Witness, _ home: Household) async throws {
            try await home.session(on: witness.name, "playing") { $0.playback.isPlaying }
            try await FaultTrial.run(
                .extensionKilled, "while it plays", on: home, playing: [witness], extensions: [witness.extension]
            ) { trial in
                trial.strikes()
                try await home.killExtension(witness.extension)
                try await trial.recovers("sessions", "active", within: .seconds(10))
            }
            try await home.succeed("pause", witness.name)
            try await witness.awaitState("paused")
            let paused = try await home.session(on: witness.name, "paused") { !$0.playback.isPlaying }
            let real = try await witness.position()
            #expect(abs(paused.playback.position(at: monotonicNow()) - real) < 1.6)
            try await home.succeed("resume", witness.name)
            try await witness.awaitState("playing")
            try await home.succeed("stop", witness.name)
            try await witness.awaitState("stopped")
        }

        @Test(.reports(.extensionKilled)) func renderersPlayOn() async throws {
            let witnesses = [Witness(.livingRoom), Witness(try await .rygel())]
            try await Household.open { home in
                for witness in witnesses {
                    try await home.succeed("play", witness.name, LabMedia.mp3, "--detach")
                    try await recovers(witness, home)
                }
                try await home.quit()
            }
        }

        @Test(.reports(.extensionKilled)) func musicServersPlayOnWithTheirPasswordAndWithoutAQuestion() async throws {
            try await Household.open { home in
                try await home.succeed("pair", "MPD Room", input: "sesame\n")
                for witness in [Witness(.openRoom), Witness(.lockedRoom)] {
                    try await home.succeed("play", witness.name, LabMedia.mp3, "--detach")
                    try await recovers(witness, home)
                }
                try await home.quit()
            }
        }

        @Test func aPersonInFrontSeesItAndWhatIsTypedIsNotLost() async throws {
            try await Household.open { home in
                let player = try await Typist.open(home, "play", "Open Room", LabMedia.mp3)
                try await player.sees("Lab Tone")
                try await home.killExtension("org.mdhost.mpd")
                player.type(" ")
                try await player.sees("reconnecting…")
                try await MusicServer.openRoom.awaitState("paused")
                try await player.sees("‖")
                player.type("q")
                #expect(await player.end() == 0, "\(player.screen)")
                try await MusicServer.openRoom.awaitState("stopped")
                try await home.quit()
            }
        }

        @Test func whatTheDeviceFinishedMeanwhileEnded() async throws {
            try await Household.open { home in
                let play = try home.start("play", "Living Room", LabMedia.mp3, "--json")
                try await home.session(on: "Living Room", "playing") { $0.playback.isPlaying && $0.playback.isReady }
                // Stopped, so that no process notices the end.
                let process = try #require(
                    try await home.status().extensions.first { $0.id == "org.mdhost.dlna" }?.processID.map(Int32.init))
                kill(process, SIGSTOP)
                try await Renderer.livingRoom.stop()
                kill(process, SIGKILL)
                #expect(await play.waitForExit() == 0, "\(play.errors)")
                let states = try JSONLines.all(play.output, as: ClientSession.self)
                #expect(states.last?.state == "ended" && states.last?.error == nil, "\(play.output)")
                #expect(try await home.device("Living Room").lastError == nil)
                #expect(["STOPPED", "NO_MEDIA_PRESENT"].contains(try await Renderer.livingRoom.state()))
                try await home.quit()
            }
        }

        @Test func anExtensionThatDiesAgainAndAgainIsGivenUpWithTheReason() async throws {
            try await Household.open { home in
                let play = try home.start("play", "Open Room", LabMedia.mp3, "--json")
                try await home.session(on: "Open Room", "playing") { $0.playback.isPlaying }
                var dead: Set<Int> = []
                try await eventually("it is given up", within: .seconds(60)) {
                    let status = try await home.status()
                    let mpd = try #require(status.extensions.first { $0.id == "org.mdhost.mpd" })
                    if let process = mpd.processID, dead.insert(process).inserted { kill(Int32(process), SIGKILL) }
                    return mpd.state == "quarantined" && status.sessions.isEmpty
                }
                #expect(await play.waitForExit() == 1)
                let error = try JSONLines.one(play.errors, as: PrintedError.self).error
                #expect(error.code == "extension-crashed" && !error.message.isEmpty, "\(play.errors)")
                #expect(try await MusicServer.openRoom.state() == "playing", "nobody touched the device")
                try await MusicServer.openRoom.mpc("clear")
                try await home.quit()
            }
        }
    }
}

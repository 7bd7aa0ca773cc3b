import Foundation
import HostClient
import Testing

extension Product {
    /// The daemon dies while devices play: they play on, and the next daemon knows them.
    @Suite struct DaemonDeathTests {
        private func playEverywhere(_ home: Household, _ witnesses: [Witness]) async throws {
            try await home.succeed("pair", "MPD Room", input: "sesame\n")
            for witness in witnesses { try await home.succeed("play", witness.name, LabMedia.mp3, "--detach") }
            for witness in witnesses { try await witness.awaitState("playing") }
        }

        private func takenUp(_ home: Household, _ sessions: [ClientSession]) async throws {
            let start = ContinuousClock.now
            let first = try await home.status()
            // In the first list already, in any state.
            #expect(Set(first.sessions.map(\.id)) == Set(sessions.map(\.id)))
            #expect(Set(first.sessions.map(\.device)) == Set(sessions.map(\.device)))
            var last: [ClientSession] = []
            try await eventually("every session is active") {
                last = try await home.sessions()
                return last.count == sessions.count && last.allSatisfy { $0.state == "active" }
            }
            print("\(sessions.count) sessions: taken up \(ContinuousClock.now - start) after the daemon was started")
        }

        private func obeys(_ witness: Witness, _ home: Household) async throws {
            try await home.succeed("pause", witness.name)
            try await witness.awaitState("paused")
            try await home.succeed("resume", witness.name)
            try await witness.awaitState("playing")
            try await home.succeed("stop", witness.name)
            try await witness.awaitState("stopped")
        }

        /// Nests the checks of several receivers around one disturbance.
        private func playThrough(_ witnesses: ArraySlice<Witness>, _ disturbance: () async throws -> Void) async throws
        {
            guard let first = witnesses.first else { return try await disturbance() }
            try await first.playsThrough { try await playThrough(witnesses.dropFirst(), disturbance) }
        }

        @Test func everythingPlaysOnAndIsUnderControlAgain() async throws {
            let witnesses = try await Witness.all()
            try await Household.open { home in
                try await playEverywhere(home, witnesses)
                let sessions = try await home.sessions()
                try await playThrough(witnesses[...]) {
                    try await home.killDaemon()
                    try await takenUp(home, sessions)
                }
                #expect(try await home.device("MPD Room").isPaired)
                for witness in witnesses { try await obeys(witness, home) }
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test(arguments: [false, true])
        func anotherDaemonTakesOver(isHung: Bool) async throws {
            let witnesses = try await Witness.all()
            try await Household.open { home in
                try await playEverywhere(home, witnesses)
                let sessions = try await home.sessions()
                let first = try #require(home.daemon)
                if isHung { kill(first, SIGSTOP) }
                var second: RunningCommand?
                try await playThrough(witnesses[...]) {
                    let start = ContinuousClock.now
                    let daemon = try home.start("daemon", "--replace")
                    second = daemon
                    try await eventually("the new daemon serves", within: .seconds(20)) {
                        home.daemon == daemon.processID && daemon.errors.contains("Serving")
                    }
                    print("taken over in \(ContinuousClock.now - start)\(isHung ? " from one that hung" : "")")
                    try await takenUp(home, sessions)
                }
                #expect(try await home.status().daemon.processID == second.map { Int($0.processID) })
                #expect(!home.processes.contains(first))
                for witness in witnesses { try await obeys(witness, home) }
                try await home.succeed("daemon", "--quit")
                #expect(await second?.waitForExit() == 0)
            }
        }

        /// As after an upgrade: the daemon that runs starts the program that is installed now.
        @Test func aSignalStartsTheNextDaemon() async throws {
            let witnesses = try await Witness.all()
            try await Household.open { home in
                try await playEverywhere(home, witnesses)
                let sessions = try await home.sessions()
                let first = try #require(home.daemon)
                try await playThrough(witnesses[...]) {
                    kill(first, SIGHUP)
                    try await eventually("another daemon", within: .seconds(20)) {
                        home.daemon.map { $0 != first } ?? false
                    }
                    try await takenUp(home, sessions)
                }
                try await eventually("the end of the first") { !home.processes.contains(first) }
                for witness in witnesses { try await obeys(witness, home) }
                try await home.quit()
            }
        }

        @Test func aDaemonInTheBackgroundTakesOver() async throws {
            let witnesses = try await Witness.all()
            try await Household.open { home in
                try await playEverywhere(home, witnesses)
                let sessions = try await home.sessions()
                let first = try #require(home.daemon)
                try await playThrough(witnesses[...]) {
                    try await home.succeed("daemon", "--replace", "--background")
                    #expect(home.daemon.map { $0 != first } ?? false)
                    try await takenUp(home, sessions)
                }
                try await home.quit()
            }
        }

        @Test func aPersonInFrontGoesOnWithTheNextDaemon() async throws {
            try await Household.open { home in
                let player = try await Typist.open(home, "play", "Open Room", LabMedia.mp3)
                try await player.sees("Lab Tone")
                let first = try #require(home.daemon)
                try await Witness(.openRoom).playsThrough {
                    kill(first, SIGKILL)
                    try await player.sees("reconnecting…")
                    try await home.session(on: "Open Room", "taken up") { $0.state == "active" }
                }
                #expect(home.daemon != first)
                player.type(" ")
                try await MusicServer.openRoom.awaitState("paused")
                player.type("q")
                #expect(await player.end() == 0, "\(player.screen)")
                try await MusicServer.openRoom.awaitState("stopped")
                try await home.quit()
            }
        }

        @Test func replacingNobodyJustStarts() async throws {
            try await Household.open { home in
                let daemon = try home.start("daemon", "--replace")
                try await eventually("it serves") { daemon.errors.contains("Serving") }
                try await home.quit()
                #expect(await daemon.waitForExit() == 0)
            }
        }

        @Test func aFileIsServedOnUnderItsAddress() async throws {
            let rygel = try await Renderer.rygel()
            try await Household.open { home in
                // So long that no receiver has all of it.
                let file = home.folder + "/long.wav"
                try await LabMedia.make(file, frequency: 1_000, seconds: 120)
                let witnesses = [Witness(.livingRoom), Witness(rygel), Witness(.openRoom)]
                for witness in witnesses { try await home.succeed("play", witness.name, file, "--detach") }
                let sessions = try await home.sessions()
                let address = try await Renderer.livingRoom.address()
                try await playThrough(witnesses[...]) {
                    try await home.killDaemon()
                    try await takenUp(home, sessions)
                }
                let again = try await Command.run([
                    LabHost.script, "in", "a", "curl", "--silent", "--range", "1000-1099", "--output", "/dev/null",
                    "--write-out", "%{http_code} %{size_download}", address,
                ])
                #expect(again.output == "206 100", "\(again)")
                // A position it hasn't read yet; gmediarender accepts some seeks without moving, MPD moves.
                try await home.succeed("seek", "1:40", "Open Room")
                try await eventually("sound from there") { try await MusicServer.openRoom.position() >= 102 }
                #expect(try await MusicServer.openRoom.state() == "playing")
                #expect(try await home.sessions().allSatisfy { $0.source.hasSuffix("/long.wav") })
                for witness in witnesses { try await home.succeed("stop", witness.name) }
                let gone = try await Command.run([
                    LabHost.script, "in", "a", "curl", "--silent", "--output", "/dev/null", "--write-out",
                    "%{http_code}",
                    address,
                ])
                #expect(["000", "404"].contains(gone.output), "\(gone)")
                try await home.quit()
            }
        }

        /// A device in the middle of a file gets all of it, and further requests go to the new daemon.
        @Test func aFileThatIsBeingReadIsReadToItsEnd() async throws {
            try await Household.open { home in
                let file = home.folder + "/long.wav"
                try await LabMedia.make(file, frequency: 1_000, seconds: 120)
                try await home.succeed("play", "Living Room", file, "--detach")
                let address = try await Renderer.livingRoom.address()
                let first = try #require(home.daemon)
                func read(_ rate: String) throws -> RunningCommand {
                    try RunningCommand([
                        LabHost.script, "in", "a", "curl", "--silent", "--output", "/dev/null", "--limit-rate", rate,
                        "--write-out", "%{http_code} %{size_download}", address,
                    ])
                }
                let (quick, slow) = (try read("4M"), try read("50k"))
                try await eventually("both reading") {
                    let sockets = try await Command.run(["/usr/bin/ss", "-tnH", "state", "established"]).output
                    let port = try #require(URL(string: address)?.port)
                    return sockets.split(separator: "\n").count { $0.contains(":\(port) ") } >= 2
                }
                let second = try home.start("daemon", "--replace")
                try await eventually("the new daemon serves") {
                    home.daemon == second.processID && second.errors.contains("Serving")
                }
                try await home.session(on: "Living Room", "taken up") { $0.state == "active" }
                let again = try await Command.run([
                    LabHost.script, "in", "a", "curl", "--silent", "--range", "1000-1099", "--output", "/dev/null",
                    "--write-out", "%{http_code} %{size_download}", address,
                ])
                #expect(again.output == "206 100", "\(again)")
                let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
                #expect(await quick.waitForExit() == 0)
                #expect(quick.output == "200 \(size ?? 0)")
                #expect(home.processes.contains(first), "for the slow one")
                // After the playback no device may read the file.
                try await home.succeed("stop", "Living Room")
                try await eventually("the end of the former daemon") { !home.processes.contains(first) }
                await slow.stop()
                try await home.succeed("daemon", "--quit")
                #expect(await second.waitForExit() == 0)
            }
        }

        @Test func whatEndedWhileNobodyLookedIsOver() async throws {
            let witnesses = try await Witness.all()
            try await Household.open { home in
                try await playEverywhere(home, witnesses)
                try await home.killDaemon()
                // One is stopped, one plays something else, two go on.
                try await Renderer.livingRoom.stop()
                try await MusicServer.openRoom.mpc("add", LabMedia.flac)
                try await MusicServer.openRoom.mpc("next")
                try await eventually("what goes on is taken up") {
                    let sessions = try await home.sessions()
                    return sessions.count == 2 && sessions.allSatisfy { $0.state == "active" }
                }
                let over = try await home.status().devices.filter { ["Living Room", "Open Room"].contains($0.name) }
                #expect(over.allSatisfy { $0.activation == "idle" && $0.lastError == nil }, "\(over)")
                #expect(try await Renderer.livingRoom.state() != "PLAYING")
                #expect(try await MusicServer.openRoom.address() == LabMedia.flac, "it is not touched")
                try await MusicServer.openRoom.mpc("clear")
                try await home.quit()
            }
        }
    }
}

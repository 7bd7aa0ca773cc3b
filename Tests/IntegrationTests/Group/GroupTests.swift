import Foundation
import HostClient
import Testing

extension Product {
    /// Two receivers of two hosts play together, checked by their own reports: requests of people, and possible faults.
    @Suite struct GroupTests {
        private func play(_ home: Household, _ den: Room, _ attic: Room) async throws {
            try await home.succeed("play", den.name, "--with", attic.name, try den.film(), "--detach")
        }

        /// A command to one applies to both.
        private func obey(_ home: Household, _ den: Room, _ attic: Room) async throws {
            try await home.succeed("pause", attic.name)
            for room in [den, attic] { try await room.tells("paused") }
            try await home.succeed("resume", den.name)
            try await [den, attic].areInStep()
        }

        /// Checks that no receiver was moved.
        private func playOn(_ room: Room, since beginning: Double, sourceLocation: SourceLocation = #_sourceLocation) {
            let moved = (room.playback?.beginning ?? .infinity) - beginning
            #expect(abs(moved) < Room.tolerance, "\(room.name) moved by \(moved) s", sourceLocation: sourceLocation)
        }

        @Test func twoAreUsedAsOne() async throws {
            try await Room.withTwo { home, den, attic in
                try await play(home, den, attic)
                print("GROUP begun \(try await [den, attic].areInStep()) s apart")
                let (one, other) = (try await home.device(den.name), try await home.device(attic.name))
                #expect(one.group == [one.id, other.id] && other.group == one.group)
                try await obey(home, den, attic)
                try await home.succeed("seek", "1:00", attic.name)
                try await eventually("the new place") {
                    [den, attic].allSatisfy { ($0.playback?.position ?? 0) >= 60 }
                }
                try await [den, attic].areInStep()

                try await home.succeed("volume", attic.name, "60")
                try await eventually("its own level") { attic.level == "vol 60 %" }
                try await home.succeed("volume", den.name, "30", "--group")
                try await eventually("all in proportion") { den.level == "vol 20 %" && attic.level == "vol 30 %" }
                try await home.succeed("stop", attic.name)
                for room in [den, attic] { try await room.tells("ended") }
                #expect(try await home.sessions().allSatisfy(\.isOver))
            }
        }

        @Test func oneLeavesAndJoinsAgain() async throws {
            try await Room.withTwo { home, den, attic in
                try await play(home, den, attic)
                try await [den, attic].areInStep()
                let beginning = try #require(den.playback?.beginning)
                try await home.succeed("group", "leave", attic.name)
                try await attic.tells("ended")
                playOn(den, since: beginning)
                try await home.succeed("group", "join", attic.name, den.name)
                try await [den, attic].areInStep()
                playOn(den, since: beginning)
                // The leader; the film is still served by it.
                try await home.succeed("group", "leave", den.name)
                try await den.tells("ended")
                playOn(attic, since: beginning)
                #expect(try await home.session(on: attic.name, "active").state == "active")
                try await home.succeed("stop", attic.name)
                try await attic.tells("ended")
            }
        }

        @Test(.reports(.extensionKilled)) func theExtensionDies() async throws {
            try await Room.withTwo { home, den, attic in
                try await play(home, den, attic)
                try await [den, attic].areInStep()
                let beginning = try #require(den.playback?.beginning)
                try await FaultTrial.run(
                    .extensionKilled, "while two play together", on: home, playing: [den.witness, attic.witness],
                    extensions: [Room.identifier]
                ) { trial in
                    trial.strikes()
                    try await home.killExtension(Room.identifier)
                    try await trial.recovers("sessions", "active", within: .seconds(10))
                    try await both(home, den, attic, are: "active")
                }
                try await [den, attic].areInStep()
                for room in [den, attic] { playOn(room, since: beginning) }
                try await obey(home, den, attic)
                try await home.succeed("stop", den.name)
            }
        }

        /// It had told them when to begin, and the moment was still to come.
        @Test func theExtensionDiesBeforeTheyBegin() async throws {
            try await Room.withTwo { home, den, attic in
                let process = try #require(
                    try await home.status().extensions.first { $0.id == Room.identifier }?.processID)
                try await play(home, den, attic)
                kill(Int32(process), SIGKILL)
                try await home.session(on: den.name, "taken up") { $0.state == "active" }
                try await both(home, den, attic, are: "active")
                try await [den, attic].areInStep()
                try await home.succeed("group", "leave", attic.name)
                try await attic.tells("ended")
                try await home.succeed("group", "join", attic.name, den.name)
                try await [den, attic].areInStep()
                let beginnings = den.beginnings
                let spread = try #require(beginnings.max()) - (beginnings.min() ?? 0)
                #expect(spread < Room.tolerance, "Den was moved by \(spread) s")
                try await home.succeed("stop", den.name)
            }
        }

        @Test(.reports(.daemonKilled)) func theDaemonDies() async throws {
            try await Room.withTwo { home, den, attic in
                try await play(home, den, attic)
                try await [den, attic].areInStep()
                let beginning = try #require(den.playback?.beginning)
                try await FaultTrial.run(
                    .daemonKilled, "while two play together", on: home, playing: [den.witness, attic.witness]
                ) { trial in
                    trial.strikes()
                    try await home.killDaemon()
                    _ = try await home.status()
                    try await trial.recovers("sessions", "active", within: .seconds(10))
                    try await both(home, den, attic, are: "active")
                }
                let one = try await home.device(den.name)
                #expect(one.group.count == 2)
                try await [den, attic].areInStep()
                for room in [den, attic] { playOn(room, since: beginning) }
                try await obey(home, den, attic)
                try await home.succeed("stop", attic.name)
            }
        }

        /// It rejoins by itself, at the other one's current position.
        @Test(.reports(.powerCut)) func oneIsSwitchedOffAndOn() async throws {
            try await Room.withTwo { home, den, attic in
                try await play(home, den, attic)
                try await [den, attic].areInStep()
                let beginning = try #require(den.playback?.beginning)
                try await FaultTrial.run(
                    .powerCut, "of one of two that play together", on: home, devices: [attic.name],
                    playing: [den.witness]
                ) { trial in
                    await attic.switchOff()
                    trial.strikes()
                    try await trial.shows("discover", "reconnecting")
                    trial.isMended()
                    try await attic.switchOn()
                    try await [den, attic].areInStep(within: .seconds(30))
                    trial.hasRecovered()
                }
                playOn(den, since: beginning)
                try await obey(home, den, attic)
                try await home.succeed("stop", den.name)
            }
        }

        private func both(_ home: Household, _ den: Room, _ attic: Room, are activation: String) async throws {
            try await eventually("both \(activation)") {
                let devices = try await home.status().devices.filter { [den.name, attic.name].contains($0.name) }
                return devices.count == 2 && devices.allSatisfy { $0.activation == activation }
            }
        }
    }
}

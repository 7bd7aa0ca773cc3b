import Foundation
import HostClient
import Testing

extension Product {
    /// An extension misbehaves in every way while one device plays through it and another through its neighbour: both
    /// keep playing, and no acknowledged state is lost.
    @Suite(PlayingHousehold()) struct ExtensionFaultTests {
        private var scene: PlayingHousehold.Scene {
            get throws { try #require(PlayingHousehold.scene) }
        }

        /// Checks that playback can be controlled all the while, or again after `strike`.
        private func survives(
            _ fault: Fault, _ circumstance: String = "", expecting expectation: FaultTrial.Expectation = .playOn,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ strike: (PlayingHousehold.Scene, FaultTrial) async throws -> Void
        ) async throws {
            let scene = try scene
            let files = try await scene.everythingPlays()
            let neighbour = try await scene.home.status().extensions.first { $0.id == "org.mdhost.dlna" }
            try await FaultTrial.run(
                fault, circumstance, on: scene.home, devices: ["MPD Room"], playing: scene.witnesses,
                extensions: [FaultyMPD.identifier], expecting: expectation, files: files,
                sourceLocation: sourceLocation
            ) { try await strike(scene, $0) }
            let after = try await scene.home.status().extensions.first { $0.id == "org.mdhost.dlna" }
            #expect(
                after?.processID == neighbour?.processID && after?.generation == neighbour?.generation,
                "its neighbour does not notice", sourceLocation: sourceLocation)
            try await scene.obeys()
            try await scene.heal()
        }

        /// Checks a fault after which the process is replaced.
        private func isReplaced(
            _ fault: Fault, _ circumstance: String = "", sourceLocation: SourceLocation = #_sourceLocation,
            _ strike: (PlayingHousehold.Scene, Int32) async throws -> Void
        ) async throws {
            try await survives(fault, circumstance, sourceLocation: sourceLocation) { scene, trial in
                let before = try #require(try await scene.extension.status().processID)
                trial.strikes()
                try await strike(scene, Int32(before))
                try await trial.recovers("sessions", "active")
                #expect(try await scene.extension.status().processID != before, sourceLocation: sourceLocation)
            }
        }

        @Test(.reports(.extensionStopped)) func stopped() async throws {
            try await isReplaced(.extensionStopped) { kill($1, SIGSTOP) }
        }

        @Test(.reports(.extensionHung)) func hung() async throws {
            try await isReplaced(.extensionHung) { scene, _ in try await scene.extension.order("hang") }
        }

        /// Its successor carries out the requests.
        @Test(.reports(.extensionHung)) func hungWhileSomebodyWantsSomething() async throws {
            try await survives(.extensionHung, "and “pause” is pressed", expecting: .nothing) { scene, trial in
                try await scene.extension.order("hang")
                trial.strikes()
                trial.tells("pause", try await scene.home.run("pause", "Open Room"))
                trial.hasRecovered()
                try await MusicServer.openRoom.awaitState("paused")
                try await scene.home.succeed("resume", "Open Room")
            }
        }

        @Test(.reports(.extensionLeaking)) func leaking() async throws {
            try await isReplaced(.extensionLeaking) { scene, _ in try await scene.extension.order("leak 600") }
        }

        @Test(.reports(.extensionSpeakingGarbage)) func speakingGarbage() async throws {
            try await isReplaced(.extensionSpeakingGarbage) { scene, _ in try await scene.extension.order("garbage") }
        }

        @Test(.reports(.extensionAnsweringLate)) func answeringLate() async throws {
            try await survives(.extensionAnsweringLate, "by 2.5 s", expecting: .nothing) { scene, trial in
                let before = try await scene.extension.status().processID
                try await scene.extension.order("late 2500")
                trial.strikes()
                trial.tells("pause", try await scene.home.run("pause", "Open Room"))
                try await MusicServer.openRoom.awaitState("paused")
                try await scene.extension.order("pass")
                trial.isMended()
                try await scene.home.succeed("resume", "Open Room")
                trial.hasRecovered()
                try await MusicServer.openRoom.awaitState("playing")
                #expect(try await scene.extension.status().processID == before, "late is better than never")
            }
        }

        @Test(.reports(.extensionAnsweringTwice)) func answeringTwice() async throws {
            try await survives(.extensionAnsweringTwice) { scene, trial in
                let before = try await scene.extension.status().processID
                try await scene.extension.order("twice")
                trial.strikes()
                // Everything it can say: that it is activated, has started, how it goes, that it has ended.
                try await scene.home.succeed("play", "MPD Room", LabMedia.mp3, "--detach")
                try await MusicServer.lockedRoom.awaitState("playing")
                try await scene.home.succeed("pause", "MPD Room")
                try await MusicServer.lockedRoom.awaitState("paused")
                try await scene.home.succeed("stop", "MPD Room")
                try await MusicServer.lockedRoom.awaitState("stopped")
                trial.hasRecovered()
                #expect(try await scene.extension.status().processID == before)
            }
        }

        @Test(.reports(.extensionExitingAtStart)) func exitingAtStart() async throws {
            try await isReplaced(.extensionExitingAtStart, "three times") { scene, process in
                try await scene.extension.order("exit-at-start 3", isForNext: true)
                kill(process, SIGKILL)
            }
        }

        /// A later SDK that still supports this host's version makes no difference.
        @Test(.reports(.extensionOfNewerSDK)) func newerThatStillSpeaksThis() async throws {
            try await isReplaced(.extensionOfNewerSDK, "which still speaks this one's version") { scene, _ in
                try await scene.extension.order("versions 2 1 2.0", isForNext: true)
                try await scene.home.succeed("extension", "reload", FaultyMPD.identifier)
                #expect(try await scene.extension.status().sdkVersion == "2.0")
            }
        }

        @Test(
            .reports(.extensionOfOlderSDK, .extensionOfNewerSDK),
            arguments: [(Fault.extensionOfOlderSDK, "versions 0 0 0.9"), (.extensionOfNewerSDK, "versions 3 2 3.0")])
        func ofAnSDKThatSpeaksAnother(_ fault: Fault, order: String) async throws {
            let scene = try scene
            _ = try await scene.everythingPlays()
            // It is replaced while it is idle.
            try await scene.home.succeed("stop", "Open Room")
            try await FaultTrial.run(
                fault, on: scene.home, devices: ["Open Room", "MPD Room"], playing: [Witness(.livingRoom)],
                extensions: [FaultyMPD.identifier]
            ) { trial in
                let watch = try await Watch.open(scene.home, awaiting: ["Open Room"])
                try await scene.extension.order(order, isForNext: true)
                trial.strikes()
                let refused = try await scene.home.run("extension", "reload", FaultyMPD.identifier)
                trial.tells("extension reload", refused)
                #expect(refused.status == 1, "\(refused)")
                let status = try await scene.extension.status()
                #expect(status.state == "load-failed" && status.lastError?.contains("SDK") == true, "\(status)")
                trial.isMended()
                try await scene.home.succeed("extension", "reload", FaultyMPD.identifier)
                try await eventually("its devices again") {
                    try await scene.home.device("Open Room").availability == "ready"
                }
                trial.hasRecovered()
                watch.close()
            }
        }
    }
}

/// A household with a faulty extension for MPD: “Open Room” plays a file of this machine through it, “Living Room” another
/// through its neighbour, and the password of “MPD Room” is known.
struct PlayingHousehold: SuiteTrait, TestScoping {
    struct Scene: Sendable {
        let home: Household
        let `extension`: FaultyMPD
        let file: String
        let witnesses = [Witness(.openRoom), Witness(.livingRoom)]

        /// Has everything play that does not: a receiver may have been started anew.
        ///
        /// - Returns: The addresses from which they read the file.
        func everythingPlays() async throws -> [ServedAddress] {
            for witness in witnesses where try await witness.state() != "playing" {
                try await home.succeed("play", witness.name, file, "--detach")
            }
            return [
                ServedAddress(host: "c", address: try await MusicServer.openRoom.address()),
                ServedAddress(host: "a", address: try await Renderer.livingRoom.address()),
            ]
        }

        /// Checks that the device carries out requests.
        func obeys() async throws {
            try await home.succeed("pause", "Open Room")
            try await MusicServer.openRoom.awaitState("paused")
            try await home.succeed("resume", "Open Room")
            try await MusicServer.openRoom.awaitState("playing")
        }

        /// Makes the process behave well again, without traces of the fault.
        func heal() async throws {
            try await self.extension.heal()
            try await home.session(on: "Open Room", "taken up") { $0.state == "active" }
        }
    }

    @TaskLocal static var scene: Scene?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await RealReceivers.start()
        try await Household.open { home in
            let scene = Scene(home: home, extension: try FaultyMPD.install(home), file: home.folder + "/long.wav")
            try await LabMedia.make(scene.file, frequency: 440, seconds: 500)
            try await home.succeed("pair", "MPD Room", input: "sesame\n")
            // Also what plays already: a test that failed may have left the file of a daemon that is gone.
            for witness in scene.witnesses { try await home.succeed("play", witness.name, scene.file, "--detach") }
            try await home.succeed("volume", "Open Room", "37")
            try await Self.$scene.withValue(scene) { try await function() }
            try await home.quit()
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The daemon's start and exit, and the resources it holds meanwhile.
    @Suite struct DaemonLifeTests {
        @Test func commandsAtTheSameTimeStartOneDaemon() async throws {
            try await Household.open { home in
                let commands = try (0..<4).map { _ in try home.start("discover", "--json") }
                for command in commands { #expect(await command.waitForExit() == 0, "\(command.errors)") }
                for command in commands {
                    let devices: [ClientDevice] = try JSONLines.one(command.output)
                    #expect(Set(devices.map(\.name)).isSuperset(of: DiscoverTests.receivers))
                }
                let daemons = home.processes.filter { Self.words($0).contains("daemon") }
                let answering = try await home.status().daemon.processID
                #expect(daemons.map(Int.init) == [answering])
                #expect(home.log.components(separatedBy: "Serving").count == 2, "\(home.log)")
                try await home.quit()
            }
        }

        @Test func aSecondDaemonLeavesTheFirstAlone() async throws {
            try await Household.open { home in
                let first = try await home.status().daemon.processID
                let second = try await home.run("daemon", within: .seconds(10))
                #expect(second.status == 0 && second.errors.contains("Another daemon runs already"), "\(second)")
                #expect(try await home.status().daemon.processID == first)
            }
        }

        @Test func quittingWhileItPlaysLeavesNothing() async throws {
            try await Household.open { home in
                let file = home.folder + "/tone.mp3"
                try await LabMedia.make(file, frequency: 440, seconds: 20)
                let play = try home.start("play", "Living Room", file)
                try await Renderer.livingRoom.awaitState("PLAYING")
                let address = try #require(URL(string: try await Renderer.livingRoom.address()))
                let port = try #require(address.port)
                // Playback may begin while other extensions still start.
                var extensions: [Int32] = []
                try await eventually("all extensions") {
                    extensions = try await home.status().extensions.compactMap { $0.processID.map(Int32.init) }
                    return extensions.count == PrivateDaemon.ownExtensions
                }
                try await home.quit()
                _ = await play.waitForExit()
                for process in extensions { #expect(!Self.isAlive(process), "extension \(process) is gone") }
                let listeners = try await Command.run([
                    "/usr/bin/ss", "--no-header", "--tcp", "--listening", "--numeric",
                ])
                #expect(!listeners.output.contains(":\(port) "), "\(listeners.output)")
                try await Renderer.livingRoom.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder + "/run") == ["lock"])
                #expect(!home.log.contains("Error:"), "\(home.log)")
            }
        }

        @Test func aKilledDaemonTakesItsExtensionsWithItAndTheNextOneStarts() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let before = try await home.status()
                let extensions = before.extensions.compactMap { $0.processID.map(Int32.init) }
                kill(Int32(before.daemon.processID), SIGKILL)
                try await eventually("the end of its extensions") { !extensions.contains(where: Self.isAlive) }
                #expect(try await home.discover().contains { $0.name == "Living Room" })
                #expect(try await home.status().daemon.processID != before.daemon.processID)
                try await home.quit()
            }
        }

        @Test func aClientThatDiesWhilePlaybackStartsLeavesADaemonThatWorks() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let play = try home.start("play", "Living Room", LabMedia.mp3)
                play.send(SIGKILL)
                _ = await play.waitForExit()
                try await home.succeed("play", "Living Room", LabMedia.flac, "--detach")
                try await eventually("the new address") { try await Renderer.livingRoom.address() == LabMedia.flac }
                try await Renderer.livingRoom.awaitState("PLAYING")
            }
        }

        @Test func playingAgainAndAgainHoldsNoMoreThanOnce() async throws {
            try await Household.open { home in
                let file = home.folder + "/tone.mp3"
                try await LabMedia.make(file, frequency: 440, seconds: 20)
                func playOnce() async throws {
                    for device in ["Living Room", "Open Room"] {
                        try await home.succeed("play", device, file, "--detach")
                        try await home.session(on: device, "playing") { $0.playback.isPlaying }
                        try await home.succeed("stop", device)
                    }
                    try await eventually("idle devices") {
                        try await home.status().devices.allSatisfy { $0.activation == "idle" }
                    }
                }
                func held() async throws -> [Int] {
                    let status = try await home.status()
                    return ([status.daemon.processID] + status.extensions.compactMap(\.processID)).map { process in
                        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? -1
                    }
                }
                try await playOnce()
                // Pooled resources are allocated by now.
                try await playOnce()
                let before = try await held()
                for _ in 0..<4 { try await playOnce() }
                try await eventually("no more descriptors than \(before)") {
                    zip(try await held(), before).allSatisfy { $0 <= $1 }
                }
            }
        }

        private static func words(_ process: Int32) -> [String] {
            let data = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
            return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns whether the process runs; a zombie doesn't.
        private static func isAlive(_ process: Int32) -> Bool {
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            guard let state = stat.split(separator: ")").last?.split(separator: " ").first else { return false }
            return state != "Z" && state != "X"
        }
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Extensions are separate processes: a crash of one affects no other.
    @Suite struct ExtensionTests {
        private static let dlna = "org.mdhost.dlna"

        private func status(_ identifier: String, _ home: Household) async throws -> ClientExtension {
            let list: [ClientExtension] = try JSONLines.one(try await home.succeed("extension", "list", "--json"))
            return try #require(list.first { $0.id == identifier }, "\(list)")
        }

        @Test func aKilledExtensionIsToldAndComesBack() async throws {
            try await Household.open { home in
                let play = try home.start("play", "Living Room", LabMedia.mp3, "--json")
                try await home.session(on: "Living Room", "playing") { $0.playback.isPlaying }
                try await home.succeed("play", "Open Room", LabMedia.mp3, "--detach")
                let before = try await status(Self.dlna, home)
                let neighbour = try await status("org.mdhost.mpd", home)
                #expect(before.state == "running")

                kill(try #require(before.processID.map(Int32.init)), SIGKILL)
                try await home.session(on: "Living Room", "reconnecting") { $0.state == "reconnecting" }
                try await home.session(on: "Living Room", "playing again") { $0.state == "active" }
                let states = try JSONLines.all(play.output, as: ClientSession.self).map(\.state)
                #expect(states.contains("reconnecting") && states.last == "active", "\(states)")

                #expect(try await status(Self.dlna, home).processID != before.processID)

                // Needed again, it is started again.
                try await eventually("both renderers again", within: .seconds(8)) {
                    let names = try await home.discover().filter { $0.availability == "ready" }.map(\.name)
                    return Set(names).isSuperset(of: DiscoverTests.receivers)
                }
                let after = try await status(Self.dlna, home)
                #expect(after.state == "running" && after.processID != before.processID)
                #expect(after.generation > before.generation, "\(after)")
                #expect(try await status("org.mdhost.mpd", home).processID == neighbour.processID)
                #expect(try await MusicServer.openRoom.state() == "playing", "what another extension plays goes on")

                try await home.succeed("play", "Living Room", LabMedia.flac, "--detach")
                try await eventually("the new address") { try await Renderer.livingRoom.address() == LabMedia.flac }
                try await Renderer.livingRoom.awaitState("PLAYING")
                try await home.quit()
            }
        }

        /// Discovery and activation may happen in different processes, and under different daemons.
        @Test func identifiersAreTheSameInEveryProcess() async throws {
            try await Household.open { home in
                func identifiers() async throws -> [String: String] {
                    let known = try await home.discover().filter { DiscoverTests.receivers.contains($0.name) }
                    return Dictionary(known.map { ($0.name, $0.id) }, uniquingKeysWith: { $0 + " " + $1 })
                }
                let first = try await identifiers()
                #expect(first.count == DiscoverTests.receivers.count)
                for name in [Self.dlna, "org.mdhost.mpd"] { try await home.killExtension(name) }
                for (device, name) in ["Living Room": Self.dlna, "Open Room": "org.mdhost.mpd"] {
                    try await home.succeed("play", device, LabMedia.mp3, "--detach")
                    #expect(try await home.device(device).id == first[device], "another process activates it")
                    #expect(try await status(name, home).generation > 1)
                }
                #expect(try await identifiers() == first)
                try await home.succeed("stop", "Living Room")
                try await home.succeed("stop", "Open Room")
                try await home.quit()
                #expect(try await identifiers() == first)
            }
        }

        @Test func anIdleExtensionThatIsKilledLosesNoDevice() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("Open Room") { watch.output.contains("Open Room") }
                let before = try await status("org.mdhost.mpd", home)
                kill(try #require(before.processID.map(Int32.init)), SIGKILL)
                try await eventually("a new process") {
                    let now = try await status("org.mdhost.mpd", home)
                    return now.state == "running" && now.processID != before.processID
                }
                try await eventually("Open Room is available", within: .seconds(5)) {
                    try await home.device("Open Room").availability == "ready"
                }
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)
            }
        }
    }
}

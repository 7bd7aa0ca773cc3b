import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// A person merges several entries into one device: a renderer and a music server.
    @Suite struct MergeTests {
        private static let living = "6D64686F-7374-4C61-8000-00000000000A"
        private let server = MusicServer.openRoom
        private let renderer = Renderer.livingRoom

        private func merged(_ home: Household) async throws -> ClientDevice {
            try await eventually("both") {
                let names = try await home.discover().flatMap { [$0.name] + $0.parts.map(\.name) }
                return Set(names).isSuperset(of: ["Living Room", "Open Room"])
            }
            return try JSONLines.one(try await home.succeed("device", "merge", "living", "open room", "--json"))
        }

        @Test func twoEntriesAreOneDeviceUntilTheyAreSplit() async throws {
            try await Household.open { home in
                let device = try await merged(home)
                #expect(device.id == Self.living && device.name == "Living Room" && device.protocolName == "DLNA")
                #expect(device.parts.map(\.name) == ["Living Room", "Open Room"])
                var list = try await home.discover()
                #expect(!list.contains { $0.name == "Open Room" })
                #expect(try await home.succeed("devices").contains("DLNA, MPD"))

                // Said in another order another one comes first, and back.
                let room: ClientDevice = try JSONLines.one(
                    try await home.succeed("device", "merge", "open room", "living", "--json"))
                #expect(room.name == "Open Room" && room.parts.map(\.protocolName) == ["MPD", "DLNA"])
                #expect(try await merged(home).id == Self.living)

                // The first plays; a person may choose the other, and then only that one plays.
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--detach")
                try await renderer.awaitState("PLAYING")
                try await home.succeed("play", "Living Room", LabMedia.flac, "--via", "mpd", "--detach")
                try await server.awaitState("playing")
                try await renderer.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                #expect(try await home.sessions().count == 1)
                // The part in use is controlled; its other name works as well.
                try await home.succeed("volume", "Open Room", "41")
                try await eventually("volume 41") { try await server.volume() == 41 }
                try await home.succeed("pause", "Open Room")
                try await server.awaitState("paused")

                // The daemon dies: the next one knows the merged devices and resumes their playback.
                try await home.succeed("resume", "Living Room")
                let before = try await home.session(on: "Living Room", "playing") { $0.playback.isPlaying }
                try await home.killDaemon()
                let after = try await home.session(on: "Living Room", "playing again") {
                    $0.state == "active" && $0.playback.isPlaying
                }
                #expect(after.id == before.id && after.part == before.part && after.part != Self.living)
                #expect(try await home.status("Living Room").devices.first?.parts.count == 2)

                // Split during playback: it continues, under its own name.
                let separate: [ClientDevice] = try JSONLines.one(
                    try await home.succeed("device", "split", "Living Room", "--json"))
                #expect(Set(separate.map(\.name)).isSubset(of: ["Living Room", "Open Room"]))
                let moved = try await home.session(on: "Open Room", "playing still") { $0.playback.isPlaying }
                #expect(moved.id == after.id)
                #expect(try await server.state() == "playing")
                try await home.succeed("stop", "Open Room")
                try await server.awaitState("stopped")
                list = try await home.discover()
                #expect(Set(list.map(\.name)).isSuperset(of: ["Living Room", "Open Room"]))
                #expect(list.allSatisfy { $0.parts.isEmpty })
                try await home.quit()
                #expect(try await home.discover().allSatisfy { $0.parts.isEmpty }, "and stays so")
            }
        }

        @Test func whileThePreferredIsOffTheOtherPlays() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["Living Room", "Open Room"])
                _ = try await merged(home)
                let id = try await home.device("Living Room").id
                try await RealReceivers.end("gmediarender", on: "a", signal: "KILL")
                try await eventually("the way that is left", within: .seconds(30)) {
                    try await home.device("Living Room").parts.map(\.availability) == ["absent", "ready"]
                }
                #expect(try await home.device("Living Room").id == id)
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--detach")
                try await server.awaitState("playing")
                try await home.succeed("stop", "Living Room")
                // It is switched on again.
                try await RealReceivers.start()
                try await eventually("both ways", within: .seconds(30)) {
                    try await home.device("Living Room").parts.map(\.availability) == ["ready", "ready"]
                }
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--detach")
                try await renderer.awaitState("PLAYING")
                try await home.succeed("stop", "Living Room")
                watch.close()
            }
        }

        @Test func theWayThatDiesBeforeAnybodyNoticesIsPassedOver() async throws {
            try await Household.open { home in
                _ = try await merged(home)
                // Without discovery, the list still has it.
                try await RealReceivers.end("gmediarender", on: "a", signal: "KILL")
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--detach")
                try await server.awaitState("playing")
                let device = try await home.device("Living Room")
                #expect(device.protocolName == "MPD" && device.activation == "active" && device.lastError == nil)
                try await home.succeed("stop", "Living Room")
            }
        }

        @Test func pairingsAndNamesOfBeforeComeBack() async throws {
            try await Household.open { home in
                try await home.succeed("pair", "MPD Room", input: "sesame\n")
                try await home.succeed("device", "rename", "MPD Room", "Cellar")
                let cellar = try await home.device("Cellar")
                let device: ClientDevice = try JSONLines.one(
                    try await home.succeed("device", "merge", "Open Room", "Cellar", "--force", "--json"))
                #expect(device.name == "Open Room" && device.parts.map(\.isPaired) == [false, true])
                try await home.succeed("device", "rename", "Cellar", "Hi-Fi")
                #expect(try await home.device("Hi-Fi").id == device.id)
                try await home.quit()
                try await home.succeed("device", "rename", "Hi-Fi", "")
                try await home.succeed("device", "split", "Open Room")
                let again = try await home.device("Cellar")
                #expect(again.id == cellar.id && again.deviceName == "MPD Room" && again.isPaired)
                try await home.succeed("play", "Cellar", LabMedia.mp3, "--detach")
                try await MusicServer.lockedRoom.awaitState("playing")
                try await home.succeed("stop", "Cellar")
            }
        }

        @Test(arguments: [
            (["merge", "Living Room", "Living Room"], Int32(64), "invalid-argument"),
            (["merge", "Living Room", "Nowhere At All"], 2, "no-such-device"), (["merge", "Living Room"], 64, ""),
            (["split", "Living Room"], 64, "not-merged"), (["split", "Nowhere At All"], 2, "no-such-device"),
        ])
        func whatCannotBeDoneSaysWhy(words: [String], status: Int32, code: String) async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let result = try await Command.run(
                    [Household.mdhost, "device"] + words + ["--json"], environment: home.environment)
                #expect(result.status == status, "\(result)")
                guard !code.isEmpty else { return }
                let error: PrintedError = try JSONLines.one(result.errors)
                #expect(error.error.code == code)
            }
        }

        /// Any program, over the bus: also by the path that a device had before.
        @Test func theBusMergesAndSplits() async throws {
            try await Household.open { home in
                func call(_ words: String...) async throws -> String {
                    let address = "--address=unix:path=" + home.socket
                    let result = try await Command.run(["/usr/bin/busctl", address, "call", HostNames.busName] + words)
                    try #require(result.status == 0, "\(words): \(result)")
                    return result.output
                }
                let watch = try await Watch.open(home, awaiting: ["Living Room", "Open Room"])
                let living = HostNames.devicePath(Self.living)
                let room = try await home.device("Open Room").path
                let merged = try await call(
                    HostNames.rootPath, HostNames.managerInterface, "MergeDevices", "aoa{sv}", "2", living, room, "0")
                #expect(merged == "o \"\(living)\"\n")
                let objects = try await call(
                    HostNames.rootPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
                #expect(!objects.contains(room))
                let played = try await call(
                    room, HostNames.deviceInterface, "Play", "sa{sv}", LabMedia.mp3, "1", "via", "s", "MPD")
                #expect(played.contains(HostNames.sessionsPath))
                try await server.awaitState("playing")
                #expect(try await home.sessions().map(\.device) == [living])
                let split = try await call(
                    HostNames.rootPath, HostNames.managerInterface, "SplitDevice", "oa{sv}", living, "0")
                #expect(split.contains(living) && split.contains(room))
                try await eventually("the session on its own device") {
                    try await home.sessions().map(\.device) == [room]
                }
                _ = try await call(room, HostNames.deviceInterface, "Deactivate")
                try await server.awaitState("stopped")
                watch.close()
            }
        }

        /// A device that declares to be the renderer of another protocol is it, wherever it is.
        @Test func whatDeclaresToBeTheSameIsOneUntilAPersonSaysOtherwise() async throws {
            try await Household.open { home in
                let watch = try await Watch.open(home, awaiting: ["Living Room"])
                let demo = try await DemoDevice.open(
                    home, "--name", "Study", "--open", "--same", "upnp:uuid:" + Self.living)
                try await eventually("one device") {
                    try await home.device("Living Room").parts.map(\.name) == ["Living Room", "Study"]
                }
                #expect(try watch.states("Study").isEmpty, "it was never listed by itself")
                try await home.succeed("play", "Living Room", LabMedia.mp3, "--via", "Study", "--detach")
                try await demo.tells("playing")
                try await home.succeed("stop", "Living Room")
                try await home.succeed("device", "split", "Living Room")
                watch.close()
                try await home.succeed("daemon", "--quit")
                // The next daemon keeps the split, whatever extensions declare.
                let again = try await Watch.open(home, awaiting: ["Living Room", "Study"])
                #expect(try await home.status().devices.allSatisfy { $0.parts.isEmpty })
                again.close()
                #expect(await demo.close() == 0)
            }
        }
    }
}

import Foundation
import HostClient
import Testing

extension Product {
    /// `discover`: the devices nearby, in every output format.
    @Suite struct DiscoverTests {
        static let receivers = [
            "Audio/Video playback on lab-b", "Living Room", "MPD Room", "Open Room", "Shair Locked", "Shair Room",
        ]

        @Test func aPipeGetsAnUncutTableWithoutColours() async throws {
            try await Household.open { home in
                let table = try await home.succeed("discover")
                let lines = table.split(separator: "\n").map(String.init)
                #expect(
                    lines.first?.split(separator: " ").map(String.init) == [
                        "NAME", "KIND", "VIA", "ADDRESS", "STATE", "ID",
                    ])
                for (name, words) in [
                    ("Living Room", ["tv", "DLNA", "10.77.0.1", "ready", "6d64686f"]),
                    ("Audio/Video playback on lab-b", ["speaker", "DLNA", "10.77.0.2", "ready"]),
                    ("MPD Room", ["speaker", "MPD", "10.77.0.3", "ready"]),
                    ("Open Room", ["speaker", "MPD", "10.77.0.3", "ready"]),
                    ("Shair Room", ["speaker", "AirPlay", "10.77.0.1", "ready"]),
                    ("Shair Locked", ["speaker", "AirPlay", "10.77.0.2", "ready"]),
                ] {
                    let line = try #require(lines.first { $0.hasPrefix(name + "  ") }, "\(name) in \(table)")
                    let rest = line.dropFirst(name.count).split(separator: " ").map(String.init)
                    #expect(Array(rest.prefix(words.count)) == words)
                }
                #expect(!table.contains("\u{1B}"))
                try await home.quit()
            }
        }

        @Test func jsonTellsWhatTheDevicesCan() async throws {
            try await Household.open { home in
                let devices = try await home.discover()
                #expect(Set(devices.map(\.name)).isSuperset(of: Self.receivers))
                let living = try #require(devices.first { $0.name == "Living Room" })
                // The UUID gmediarender was started with is the device's identity.
                #expect(living.id == "6D64686F-7374-4C61-8000-00000000000A")
                #expect(living.volumeControl == "absolute" && living.canMute && living.capabilities == ["url-playback"])
                #expect(living.endpoints.contains("10.77.0.1:49494") && living.availability == "ready")
                let speaker = try #require(devices.first { $0.name == "Shair Room" })
                #expect(speaker.capabilities == ["realtime-audio"] && speaker.canMute)
                let music = try #require(devices.first { $0.name == "MPD Room" })
                #expect(music.endpoints.contains("10.77.0.3:6600") && music.endpoints.contains("[fd77::3]:6600"))
                #expect(!music.isPaired && music.activation == "idle")
                #expect(devices.map(\.name) == devices.map(\.name).sorted { $0.lowercased() < $1.lowercased() })
            }
        }

        @Test func aSecondLookIsWarm() async throws {
            try await Household.open { home in
                let first = try await home.discover()
                let second = try await home.run("discover", "--json")
                #expect(try JSONLines.one(second.output, as: [ClientDevice].self).map(\.id) == first.map(\.id))
                // The first look takes 1.5 s; this one has nothing to wait for.
                #expect(second.duration < .seconds(1) * slowness, "\(second)")
            }
        }

        @Test func aNewDaemonRemembersAndConfirms() async throws {
            try await Household.open { home in
                let first = try await home.discover()
                try await home.quit()
                let watch = try home.start("discover", "--watch", "--json")
                for device in first.filter({ Self.receivers.contains($0.name) }) {
                    func states() throws -> [String] {
                        try JSONLines.all(watch.output, as: Change.self).filter { $0.device.id == device.id }
                            .map(\.device.availability)
                    }
                    try await eventually("\(device.name) is confirmed") { try states().last == "ready" }
                    #expect(try states().first == "checking", "\(device.name)")
                }
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)
            }
        }

        @Test func watchingSeesAReceiverGoAndComeBack() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch", "--json")
                func last(_ name: String) throws -> Change? {
                    try JSONLines.all(watch.output, as: Change.self).last { $0.device.name == name }
                }
                for name in ["Living Room", "Open Room"] {
                    try await eventually("\(name) found") { try last(name)?.event == "found" }
                }
                let identifier = try last("Living Room")?.device.id
                // One says goodbye, the other's host has to notice that it is gone.
                try await RealReceivers.end("gmediarender", on: "a")
                try await eventually("Living Room lost") { try last("Living Room")?.event == "lost" }
                try await RealReceivers.end("mpd-open", on: "c", signal: "KILL")
                try await eventually("Open Room lost") { try last("Open Room")?.event == "lost" }
                try await RealReceivers.start()
                for name in ["Living Room", "Open Room"] {
                    try await eventually("\(name) found again") { try last(name)?.event == "found" }
                }
                #expect(try last("Living Room")?.device.id == identifier)
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0, "\(watch.errors)")
            }
        }

        @Test func watchingInAPipeWritesOneLineAChange() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch")
                try await eventually("a line for Living Room") {
                    watch.output.split(separator: "\n").contains {
                        $0.hasPrefix("+ Living Room\tDLNA\t") && $0.hasSuffix("\tready")
                    }
                }
                try await RealReceivers.end("gmediarender", on: "a")
                try await eventually("a line for its loss") { watch.output.contains("- Living Room\tDLNA\t") }
                watch.send(SIGTERM)
                #expect(await watch.waitForExit() == 0, "\(watch.errors)")
            }
        }

        private struct Change: Decodable {
            var event: String
            var device: ClientDevice
        }
    }
}

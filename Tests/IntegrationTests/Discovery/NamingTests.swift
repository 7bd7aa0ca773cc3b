import Foundation
import HostClient
import Testing

extension Product {
    /// The ways a person names a device.
    @Suite struct NamingTests {
        @Test(arguments: ["Living Room", "living room", "livi", "6D64686F-7374-4C61-8000-00000000000A", "6d64686f"])
        func aNameItsBeginningOrTheIdFits(_ text: String) async throws {
            try await Household.open { home in
                // No device is known yet: the command has to run discovery itself.
                let device = try await home.device(text)
                #expect(device.name == "Living Room")
            }
        }

        @Test func aBeginningOfTwoNamesIsAmbiguous() async throws {
            let twin = try RunningCommand([
                LabHost.script, "in", "b", "avahi-publish", "--service", "Open Roof", "_mpd._tcp", "6602",
            ])
            try await Household.open { home in
                try await eventually("both found") {
                    Set(try await home.discover().map(\.name)).isSuperset(of: ["Open Roof", "Open Room"])
                }
                let result = try await home.run("play", "open", LabMedia.mp3)
                #expect(result.status == 3, "\(result)")
                #expect(result.errors.contains("“open” fits several devices: Open Roof (MPD,"), "\(result)")
                #expect(result.errors.contains("Open Room (MPD,"), "\(result)")
                let json = try await home.run("volume", "open", "--json")
                #expect(json.status == 3 && json.output.isEmpty)
                #expect(try JSONLines.one(json.errors, as: PrintedError.self).error.code == "ambiguous-name")
                #expect(try await home.device("open room").name == "Open Room")
            }
            await twin.stop()
        }

        @Test func aTypoIsAnsweredWithTheNearestName() async throws {
            try await Household.open { home in
                let result = try await home.run("play", "Livin Rom", LabMedia.mp3)
                #expect(result.status == 2, "\(result)")
                #expect(
                    result.errors.contains("No device is called “Livin Rom”. Did you mean “Living Room”?"), "\(result)")
                #expect(result.output.isEmpty)
                // After the discovery the answer comes at once.
                let json = try await home.run("status", "Livin Rom", "--json")
                #expect(json.status == 2 && json.duration < .seconds(1) * slowness, "\(json)")
                let error = try JSONLines.one(json.errors, as: PrintedError.self).error
                #expect(error.code == "no-such-device" && error.remedy != nil)
            }
        }

        @Test func whatDoesNotPlayCannotBeControlled() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                for words in [["pause"], ["stop", "Living Room"], ["seek", "10"]] {
                    let result = try await Command.run([Household.mdhost] + words, environment: home.environment)
                    #expect(result.status == 2 && result.errors.contains("Nothing plays"), "\(words): \(result)")
                }
            }
        }
    }
}

import Foundation
import Testing

extension Product {
    /// The sentence that `mdhost play` shows if playback ends in another way than by its own keys.
    @Suite struct EndingTests {
        /// Plays at a terminal, does something elsewhere, and reads how it ends.
        ///
        /// - Returns: The lines of the terminal.
        private func watch(
            _ home: Household, _ device: String, _ media: String, until ending: () async throws -> Void
        ) async throws -> [String] {
            let person = try await Typist.open(home, "play", device, media)
            // Past its first second.
            try await person.sees("▶  0:02")
            try await ending()
            #expect(await person.end() == 0, "\(person.screen)")
            return person.lines
        }

        @Test func aStopOnTheDeviceIsTold() async throws {
            try await Household.open { home in
                let demo = try await Typist.open(home, "demo", "--name", "Study", "--open")
                try await demo.sees("film")
                let file = home.folder + "/song.mp3"
                try await LabMedia.make(file, frequency: 500, seconds: 60)
                let person = try await Typist.open(home, "play", "Study", file)
                try await person.sees("▶  0:02")
                demo.type("s")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(
                    person.lines.contains {
                        $0.hasPrefix("Study stopped at 0:0") && $0.contains(" of 1:00: someone stopped it there")
                    },
                    "\(person.lines)")
                demo.type("q")
                #expect(await demo.end() == 0, "\(demo.screen)")
            }
        }

        /// Another controller, which knows nothing of this one.
        @Test func aStopByAnotherSenderIsTold() async throws {
            try await Household.open { home in
                let lines = try await watch(home, "Living Room", LabMedia.flac) { try await Renderer.livingRoom.stop() }
                #expect(
                    lines.contains { $0.hasPrefix("Living Room stopped at 0:") && $0.contains("another sender") },
                    "\(lines)")
            }
        }

        @Test func aStopByAnotherCommandIsTold() async throws {
            try await Household.open { home in
                let lines = try await watch(home, "Open Room", LabMedia.flac) { try await home.succeed("stop") }
                #expect(lines.contains("Another command or app on this computer stopped it."), "\(lines)")
            }
        }

        @Test func otherMediaInItsPlaceIsTold() async throws {
            try await Household.open { home in
                let lines = try await watch(home, "Open Room", LabMedia.flac) {
                    try await home.succeed("play", "Open Room", LabMedia.mp3, "--detach")
                }
                #expect(
                    lines.contains("Open Room now plays something else; `mdhost sessions` lists it."), "\(lines)")
                try await home.succeed("stop")
            }
        }

        /// Neither the end of the media nor a key needs a message.
        @Test func theNaturalEndAndTheOwnStopNeedNoReason() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let file = home.folder + "/short.mp3"
                try await LabMedia.make(file, frequency: 500, seconds: 6)
                let whole = try await home.run("play", "Study", file, "--json")
                let ended = try JSONLines.all(whole.output, as: Ended.self).last
                #expect(ended?.state == "ended" && ended?.ending == "finished", "\(whole)")
                let person = try await Typist.open(home, "play", "Study", file)
                try await person.sees("▶  0:0")
                person.type("q")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(!person.lines.contains { $0.contains("stopped") }, "\(person.lines)")
                #expect(await demo.close() == 0)
            }
        }

        private struct Ended: Decodable {
            var state: String
            var ending: String?
        }
    }
}

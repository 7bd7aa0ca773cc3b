import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The output of the command line for a person at a terminal, and for a script without one.
    @Suite struct TerminalTests {
        private static func pin(_ home: Household, _ name: String = "Study") async throws -> DemoDevice {
            try await DemoDevice.open(home, "--name", name)
        }

        @Test func aSignedLevelAndPositionNeedNoDashes() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                try await home.succeed("volume", "study", "50")
                try await home.succeed("play", "Study", try await demo.ready().sample, "--detach")
                try await home.session(on: "Study", "playing") { $0.playback.isPlaying }
                try await home.succeed("volume", "study", "-5")
                try await demo.tells { $0.event == "volume" && $0.level == "vol 45 %" }
                try await home.succeed("seek", "60")
                try await demo.tells { $0.event == "playing" && $0.position.map { $0.hasPrefix("60") } == true }
                try await home.succeed("seek", "Study", "-30")
                try await demo.tells { $0.event == "playing" && $0.position.map { $0.hasPrefix("3") } == true }
                #expect(await demo.close() == 0)
            }
        }

        @Test(arguments: [["play", "Study", "http://192.0.2.1/a.mp3"], ["volume", "Study", "20"], ["pair", "Study"]])
        func withoutATerminalTheWayToPairIsTold(_ words: [String]) async throws {
            try await Household.open { home in
                let demo = try await Self.pin(home)
                let result = try await Command.run([Household.mdhost] + words, environment: home.environment)
                #expect(result.status == 4, "\(result)")
                #expect(result.errors.contains("Study asks for a 4-digit code."), "\(result)")
                #expect(result.errors.contains("mdhost pair \"Study\""), "\(result)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func aCodeOfTheWrongShapeCostsNoAttempt() async throws {
            try await Household.open { home in
                let demo = try await Self.pin(home)
                let script = try await home.run("pair", "Study", input: "abcd\n")
                #expect(script.status == 64 && script.errors.contains("The code has 4 digits."), "\(script)")
                try await demo.tells("pairing-cancelled")

                let person = try await Typist.open(home, "pair", "Study")
                try await person.sees("4-digit code for Study:")
                for (count, entry) in ["12a4", "123", "12345"].enumerated() {
                    person.type(entry + "\n")
                    try await person.sees("The code has 4 digits.", times: count + 1)
                }
                try await person.sees("4-digit code for Study:", times: 4)
                let code = try await demo.code(2)
                // As it is read aloud.
                person.type(code.prefix(2) + " " + code.suffix(2) + "\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(!demo.told("pairing-failed"))
                #expect(await demo.close() == 0)
            }
        }

        @Test(arguments: [["play", "Study", "http://192.0.2.1/a.mp3"], ["pair", "Study"], ["volume", "Study", "20"]])
        func controlCAtAPromptIsTheSameEverywhere(_ words: [String]) async throws {
            try await Household.open { home in
                let demo = try await Self.pin(home)
                let person = try await Typist.open(home, words)
                try await person.sees("4-digit code for Study: ")
                person.type("\u{3}")
                #expect(await person.end() == 130, "\(person.screen)")
                let lines = person.lines
                #expect(lines.contains("mdhost: Pairing with Study was cancelled."), "a line of its own: \(lines)")
                try await demo.tells("pairing-cancelled")
                #expect(await demo.close() == 0)
            }
        }

        @Test func remediesHelp() async throws {
            try await Household.open { home in
                let one = try await DemoDevice.open(home, "--name", "Attic East", "--open")
                let two = try await DemoDevice.open(home, "--name", "Attic West", "--open")
                let typo = try await home.run("paly", "Attic East")
                #expect(typo.status == 64 && typo.errors.contains("Did you mean “play”?"), "\(typo)")
                let silence = try await home.run("pause")
                #expect(silence.errors.contains("Start playback") && !silence.errors.contains("mdhost sessions"))
                _ = try await home.discover()
                let ambiguous = try await home.run("status", "attic")
                #expect(ambiguous.status == 3, "\(ambiguous)")
                #expect(ambiguous.errors.contains("the id in parentheses") && !ambiguous.errors.contains("extension"))
                try await home.succeed("play", "Attic East", try await one.ready().sample, "--detach")
                try await home.session(on: "Attic East", "playing") { $0.playback.isPlaying }
                let swapped = try await home.run("group", "join", "Attic East", "Attic West")
                #expect(swapped.status == 2, "\(swapped)")
                #expect(swapped.errors.contains("mdhost group join \"Attic West\" \"Attic East\""), "\(swapped)")
                #expect(await one.close() == 0)
                #expect(await two.close() == 0)
            }
        }

        @Test func whatIsNoMediaIsRefusedBeforeTheDeviceIsAsked() async throws {
            try await Household.open { home in
                let demo = try await Self.pin(home)
                for (name, content, kind) in [
                    ("kettle.py", "print('kettle')\n", "a text file"), ("song.mp3", "%PDF-1.7\n", "a PDF document"),
                    ("empty.mp3", "", "an empty file"),
                ] {
                    let file = home.folder + "/" + name
                    try content.write(toFile: file, atomically: true, encoding: .utf8)
                    let result = try await home.run("play", "Study", file)
                    #expect(result.status == 6, "\(result)")
                    #expect(result.errors.contains("\(name) is \(kind), not audio or video."), "\(result)")
                }
                #expect(!demo.told("code"), "the device was asked")
                #expect(await demo.close() == 0)
            }
        }

        @Test func theLastLineOfWhatPlayedShowsItsEnd() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let file = home.folder + "/short.mp3"
                try await LabMedia.make(file, frequency: 500, seconds: 5)
                let person = try await Typist.open(home, ["play", "Study", file])
                #expect(await person.end() == 0, "\(person.screen)")
                let last = try #require(person.lines.last { $0.contains("■") }, "\(person.screen)")
                #expect(last.contains("■  0:05"), "\(last)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func aDeviceWithRelativeVolumeSaysSo() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open", "--volume", "relative")
                #expect(try await home.succeed("volume", "Study") == "steps only\n")
                let level = try await home.run("volume", "Study", "40")
                #expect(level.status == 6 && level.errors.contains("Study takes volume steps only."), "\(level)")
                #expect(level.errors.contains("mdhost volume \"Study\" +1"), "\(level)")
                try await home.succeed("volume", "Study", "-1")
                #expect(await demo.close() == 0)
            }
        }

        @Test func doctorSaysWhyADeviceIsNotThere() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let there = try await home.run("doctor", "Study")
                #expect(there.output.contains("Study is ready"), "\(there)")
                #expect(await demo.close() == 0)
                let gone = try await home.run("doctor", "study")
                #expect(gone.status == 1 && gone.output.contains("Study"), "\(gone)")
                let unknown = try await home.run("doctor", "Nowhere")
                #expect(unknown.status == 1 && unknown.output.contains("No device is called “Nowhere”"), "\(unknown)")
            }
        }

        @Test func aDeviceOfThisMachineOpensItsLoopbackAddresses() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open", "--lan")
                let result = try await home.run("play", "Study", "http://127.0.0.1:9/a.mp3")
                #expect(result.status == 5, "the device tried it: \(result)")
                #expect(try await home.succeed("device", "add", "127.0.0.1").contains("Study"))
                #expect(await demo.close() == 0)
            }
        }
    }
}

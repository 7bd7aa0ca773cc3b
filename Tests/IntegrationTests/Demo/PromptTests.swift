import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The questions to a person at a terminal, and the completions for Tab.
    @Suite struct PromptTests {
        /// Only the device's own sentence says where to find the code.
        @Test(arguments: [
            (["--pin", "4"], "Study shows a code.", "4-digit code for Study: "),
            (["--pin", "6"], "Study shows a code.", "6-digit code for Study: "),
            (["--password", "kettle"], "Study wants a password.", "Password for Study: "),
            (["--confirm"], "Allow this computer on Study itself.", "Press Return once Study is confirmed: "),
        ])
        func theQuestionRepeatsTheDevicesOwnReason(_ kind: [String], _ reason: String, _ question: String) async throws
        {
            try await Household.open { home in
                let demo = try RunningCommand(
                    [Household.mdhost, "demo", "--json", "--name", "Study"] + kind, environment: home.environment)
                try await eventually("the demo device") { demo.output.contains("\"ready\"") }
                let person = try await Typist.open(home, "pair", "Study")
                try await person.sees(question)
                let lines = person.lines
                let place = try #require(lines.firstIndex(of: reason), "\(lines)")
                #expect(lines[place...].dropFirst().first?.hasPrefix(question) == true, "\(lines)")
                for other in ["bottom of", "shown on", "on its screen"] {
                    #expect(!person.screen.contains(other), "\(lines)")
                }
                person.type("\u{3}")
                #expect(await person.end() == 130, "\(person.screen)")
                #expect(person.lines.contains("mdhost: Pairing with Study was cancelled."), "\(person.lines)")
                await demo.stop()
            }
        }

        /// As at the prompt of `pair`.
        @Test func aCodeOfTheWrongShapeCostsPlayNoAttempt() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study")
                let person = try await Typist.open(home, "play", "Study", try await demo.ready().sample)
                try await person.sees("4-digit code for Study:")
                person.type("12a4\n")
                try await person.sees("The code has 4 digits.")
                try await person.sees("4-digit code for Study:", times: 2)
                person.type(try await demo.code(1) + "\n")
                try await demo.tells("paired")
                try await demo.tells("playing")
                #expect(!demo.told("pairing-failed"))
                person.type("q")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(await demo.close() == 0)
            }
        }

        /// Another program lets go of the device.
        @Test func aPromptGoesOnceItIsNotNeeded() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study")
                let person = try await Typist.open(home, "pair", "Study")
                try await person.sees("4-digit code for Study:")
                let client = try await HostClient.connect(to: home.socket, launching: false)
                try await client.deactivate(HostNames.devicePath(try await home.device("Study").id))
                #expect(await person.end() == 130, "\(person.screen)")
                #expect(person.lines.contains("mdhost: The activation of Study was cancelled."), "\(person.lines)")
                let again = try await Typist.open(home, "pair", "Study")
                try await again.sees("4-digit code for Study:")
                again.type(try await demo.code(2) + "\n")
                #expect(await again.end() == 0, "\(again.screen)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func aPromptGoesWithItsDevice() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study")
                let person = try await Typist.open(home, "pair", "Study")
                try await person.sees("4-digit code for Study:")
                #expect(await demo.close() == 0)
                #expect(await person.end() == 5, "\(person.screen)")
                #expect(person.lines.contains("mdhost: The connection to Study was lost."), "\(person.lines)")
            }
        }

        /// A shell that has loaded the completion.
        private func bash(_ home: Household) async throws -> Typist {
            let person = try await Typist.open(home, line: "exec bash --norc -i")
            person.type("source <(mdhost completion bash); echo loaded-$?\n")
            try await person.sees("loaded-0")
            return person
        }

        /// For a name with a slash, readline would list only the part after the slash.
        @Test func tabListsWholeNames() async throws {
            try await Household.open { home in
                let east = try await DemoDevice.open(
                    home, "--name", "Audio/Video East", "--open", "--volume", "relative")
                let west = try await DemoDevice.open(home, "--name", "Audio/Video West", "--open")
                _ = try await home.discover()
                let person = try await bash(home)
                person.type("mdhost volume aud\t")
                try await person.sees("Audio/Video\\ ")
                person.type("\t\t")
                try await person.sees("Audio/Video\\ East")
                try await person.sees("Audio/Video\\ West")
                person.type("E\t")
                try await person.sees("Audio/Video\\ East ")
                person.type("\n")
                try await person.sees("steps only")
                // A quote that was begun is ended.
                person.type("mdhost status \"Audio/Video E\t\n")
                try await person.sees("Audio/Video East\" ")
                person.type("exit\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(await east.close() == 0)
                #expect(await west.close() == 0)
            }
        }

        /// Two devices of one protocol are two devices, unless a person knows better.
        @Test func mergingDevicesOfOneProtocolIsAskedFor() async throws {
            try await Household.open { home in
                let east = try await DemoDevice.open(home, "--name", "Attic East", "--open")
                let west = try await DemoDevice.open(home, "--name", "Attic West", "--open")
                _ = try await home.discover()
                let merge = ["device", "merge", "Attic East", "Attic West"]
                let sentence = "Attic East and Attic West both use Reference, so they are usually different devices."
                for (answer, shown) in [("\n", "\r\n"), ("n\n", "n\r\n"), ("\u{3}", "^C"), ("\u{4}", "\n")] {
                    let person = try await Typist.open(home, merge)
                    try await person.sees("Merge them anyway? [y/N] ")
                    person.type(answer)
                    #expect(await person.end() == 130, "\(person.screen)")
                    #expect(person.lines.contains(sentence) && person.screen.contains(shown), "\(person.screen)")
                    #expect(person.lines.contains("mdhost: Nothing was merged."), "\(person.lines)")
                }
                #expect(try await home.discover().count { $0.name.hasPrefix("Attic") } == 2)
                let script = try await home.run(merge)
                #expect(script.status == 64 && script.errors.contains(sentence), "\(script)")
                #expect(script.errors.contains("merge them with --force"), "\(script)")

                let person = try await Typist.open(home, merge)
                try await person.sees("Merge them anyway? [y/N] ")
                person.type("y\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(try await home.device("Attic East").parts.count == 2)
                try await home.succeed("device", "split", "Attic East")
                try await home.succeed("device", "merge", "Attic West", "Attic East", "--force")
                // The same device by now, named in another order: no question is needed.
                try await home.succeed("device", "merge", "Attic East", "Attic West")
                #expect(await east.close() == 0)
                #expect(await west.close() == 0)
            }
        }

        @Test func tabCompletesANameInAnyCase() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open", "--volume", "relative")
                _ = try await home.discover()
                let person = try await bash(home)
                person.type("mdhost volume sTU\t")
                try await person.sees("Study ")
                person.type("\n")
                try await person.sees("steps only")
                person.type("exit\n")
                #expect(await person.end() == 0, "\(person.screen)")
                #expect(await demo.close() == 0)
            }
        }
    }
}

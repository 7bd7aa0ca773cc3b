import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The errors and remedies that a person at a terminal reads.
    @Suite struct RemedyTests {
        /// Runs the command on a terminal to its end.
        private func read(_ home: Household, _ words: [String]) async throws -> (status: Int32, lines: [String]) {
            let person = try await Typist.open(home, words)
            let status = await person.end()
            return (status, person.lines)
        }

        @Test(arguments: [
            (["paly", "Study"], "There is no command “paly”. Did you mean “play”?"),
            (["devcies"], "There is no command “devcies”. Did you mean “devices”?"),
            (["group", "jion"], "There is no command “group jion”. Did you mean “group join”?"),
            (["xylophone"], "There is no command “xylophone”."),
        ])
        func aMistypedCommandNamesTheNearOne(_ words: [String], _ text: String) async throws {
            try await Household.open { home in
                let (status, lines) = try await read(home, words)
                #expect(status == 64 && lines.contains { $0.hasSuffix(text) }, "\(lines)")
            }
        }

        @Test func whereNothingPlaysTheWayToPlayIsTold() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                for words in [["pause"], ["seek", "10"], ["stop", "Study"]] {
                    let (status, lines) = try await read(home, words)
                    let sentence = words.count == 2 && words[0] == "stop" ? "Nothing plays on Study." : "Nothing plays."
                    #expect(status != 0 && lines.contains { $0.hasSuffix(sentence) }, "\(words): \(lines)")
                    #expect(lines.contains { $0.contains("mdhost play DEVICE") }, "\(words): \(lines)")
                    #expect(!lines.contains { $0.contains("mdhost sessions") }, "\(words): \(lines)")
                }
                #expect(await demo.close() == 0)
            }
        }

        @Test func aTextFileIsRefusedBeforeThePrompt() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study")
                let file = home.folder + "/kettle.py"
                try "print('kettle')\n".write(toFile: file, atomically: true, encoding: .utf8)
                let (status, lines) = try await read(home, ["play", "Study", file])
                #expect(status == 6, "\(lines)")
                #expect(lines.contains { $0.hasSuffix("kettle.py is a text file, not audio or video.") }, "\(lines)")
                #expect(!lines.contains { $0.contains("code for Study") }, "\(lines)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func aStreamThatIsNoMediaIsRefused() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                for (writer, kind) in [
                    ("yes kettle", "a text file"), ("echo kettle", "a text file"),
                    ("printf %%PDF-1.7_and_so_on", "a PDF document"),
                ] {
                    let person = try await Typist.open(home, line: "\(writer) | mdhost stream Study")
                    #expect(await person.end() == 6, "\(person.screen)")
                    #expect(
                        person.lines.contains { $0.hasSuffix("The stream is \(kind), not audio or video.") },
                        "\(person.lines)")
                }
                #expect(!demo.told("fetching"), "the device was to play it")
                // Samples without a header may have any content; nobody can seek in live sound.
                let writer = try await Typist.open(
                    home, line: "yes kettle | mdhost stream Study --format s16le --detach")
                try await home.session(on: "Study", "playing") { $0.playback.isPlaying }
                let (status, lines) = try await read(home, ["seek", "Study", "10"])
                #expect(status == 6, "\(lines)")
                #expect(lines.contains { $0.hasSuffix("Live sound can only be stopped.") }, "\(lines)")
                try await home.succeed("stop", "Study")
                _ = await writer.end()
                #expect(await demo.close() == 0)
            }
        }

        @Test func nothingIsSaidToBeForgottenThatWasNot() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                _ = try await home.discover()
                let nothing = try await read(home, ["forget", "Study"])
                #expect(nothing.status == 0, "\(nothing)")
                #expect(nothing.lines.contains("There is nothing to forget: Study isn't paired."), "\(nothing)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func aDeviceThatIsOnlyRememberedIsForgotten() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                _ = try await home.discover()
                // No daemon receives its goodbye.
                try await home.succeed("daemon", "--quit")
                #expect(await demo.close() == 0)
                let (status, lines) = try await read(home, ["forget", "Study"])
                #expect(status == 0 && lines.contains("Forgot Study."), "\(lines)")
                #expect(try await home.run("status", "Study").status == 2)
            }
        }

        @Test func aPairingIsForgottenOnce() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--password", "kettle")
                try await home.succeed("pair", "Study", input: "kettle\n")
                for text in ["Forgot Study.", "There is nothing to forget: Study isn't paired."] {
                    _ = try await home.discover()
                    let (status, lines) = try await read(home, ["forget", "Study"])
                    #expect(status == 0 && lines.contains(text), "\(lines)")
                }
                #expect(await demo.close() == 0)
            }
        }

        @Test func whereNoAppIsRoutedTheWayToRouteIsTold() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let (status, lines) = try await read(home, ["route", "Study", "--off"])
                #expect(status == 2 && lines.contains { $0.hasSuffix("No app is routed to Study.") }, "\(lines)")
                #expect(lines.contains { $0.contains("`mdhost route \"Study\"` routes a running app") }, "\(lines)")
                #expect(!lines.contains { $0.contains("mdhost play") }, "\(lines)")
                #expect(await demo.close() == 0)
            }
        }

        /// Each has its sentence, and only the address is for the device to judge.
        @Test func mediaThatCannotBePlayedSaysWhy() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let sample = try await demo.ready().sample
                let (folder, empty, secret, pipe) = (
                    home.folder + "/Album", home.folder + "/empty.mp3", home.folder + "/secret.mp3",
                    home.folder + "/pipe"
                )
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try #require(FileManager.default.createFile(atPath: empty, contents: nil))
                try #require(mkfifo(pipe, 0o600) == 0)
                for (media, status, sentence, remedy) in [
                    (folder, Int32(64), "“\(folder)” is a folder. Name a file.", nil),
                    ("", 64, "Name a file or an address to play.", nil),
                    (empty, 6, "empty.mp3 is an empty file, not audio or video.", "that the device plays"),
                    (pipe, 64, "“\(pipe)” isn't a regular file.", "pipe it to `mdhost stream`"),
                    (
                        sample + "-nothing", 5, "\(sample)-nothing cannot be opened: its server answers 404 Not Found.",
                        "the device itself can open"
                    ),
                    ("http://127.0.0.1:9/a.mp3", 5, "its server doesn't answer (Connection refused).", nil),
                    (
                        "http://nowhere.invalid/a.mp3", 5, "cannot be opened: its host nowhere.invalid isn't known.",
                        nil
                    ),
                ] as [(String, Int32, String, String?)] {
                    let (code, lines) = try await read(home, ["play", "Study", media])
                    #expect(code == status && lines.contains { $0.contains(sentence) }, "\(media): \(lines)")
                    if let remedy { #expect(lines.contains { $0.contains(remedy) }, "\(media): \(lines)") }
                }
                try "ID3 kettle".write(toFile: secret, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
                // Root reads every file as long as it has these capabilities.
                let person = try await Typist.open(
                    home, line: "setpriv --bounding-set=-dac_override,-dac_read_search mdhost play Study '\(secret)'")
                #expect(await person.end() == 64, "\(person.screen)")
                #expect(
                    person.lines.contains { $0.contains("secret.mp3” cannot be read: you don't have permission.") },
                    "\(person.lines)")
                #expect(await demo.close() == 0)
            }
        }

        @Test func liveMediaHasNoPositionThatIsNone() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                let writer = try await Typist.open(
                    home, line: "cat /dev/zero | mdhost stream Study --format s16le --detach")
                try await home.session(on: "Study", "live") { $0.playback.isPlaying && $0.playback.isLive }
                for words in [["sessions"], ["status", "Study"]] {
                    let (status, lines) = try await read(home, words)
                    #expect(status == 0 && lines.contains { $0.contains("live") }, "\(words): \(lines)")
                    #expect(!lines.contains { $0.contains("0:00") }, "\(words): \(lines)")
                }
                try await home.succeed("stop", "Study")
                _ = await writer.end()
                #expect(await demo.close() == 0)
            }
        }

        @Test func doctorSaysWhyADeviceIsNotThere() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
                _ = try await home.discover()
                #expect(await demo.close() == 0)
                let (status, lines) = try await read(home, ["doctor", "Study"])
                #expect(status == 1, "\(lines)")
                #expect(
                    lines.contains {
                        $0.contains("The machine of Study (127.0.0.1) is on, and nothing listens at port ")
                    },
                    "\(lines)")
                #expect(
                    lines.contains { $0.contains("→ Start the receiver on it, or restart the device.") }, "\(lines)")
                #expect(lines.contains { $0.contains("1 problem") }, "\(lines)")
            }
        }

        /// The same word as in `discover`.
        @Test func aGroupIsListedInTheWordsOfTheList() async throws {
            try await Household.open { home in
                let one = try await DemoDevice.open(home, "--name", "Attic East", "--open")
                let two = try await DemoDevice.open(home, "--name", "Attic West", "--open")
                try await home.succeed(
                    "play", "Attic East", try await one.ready().sample, "--with", "Attic West", "--detach")
                for words in [["group", "list"], ["discover", "--known"]] {
                    let (status, lines) = try await read(home, words)
                    #expect(status == 0, "\(lines)")
                    for name in ["Attic East", "Attic West"] {
                        #expect(
                            lines.contains { $0.contains(name) && $0.contains(" in use, grouped ") },
                            "\(words): \(lines)")
                    }
                }
                #expect(await one.close() == 0)
                #expect(await two.close() == 0)
            }
        }
    }
}

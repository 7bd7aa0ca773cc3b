import Foundation
import Testing

extension BadInput {
    /// Mistakes a person can make on the command line.
    @Suite struct CommandLineTests {
        @Test func everyMistakeHasItsCodeAndSentence() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let one = try await HostileRenderer.start(.init(name: "Attic North"), on: evil)
                let two = try await HostileRenderer.start(.init(name: "Attic South"), on: evil)
                try await daemon.awaitRenderers([one, two])
                let media = one.media
                // The first playback opens resources that stay open.
                #expect(try await daemon.mdhost("play", "Attic North", media, "--detach").status == 0)
                #expect(try await daemon.mdhost("stop").status == 0)
                try await eventually("the end of its subscriptions") { one.subscriptions == 0 }
                let before = try await daemon.settledFootprint()
                let mistakes: [([String], Int32, String)] = [
                    (["play", "Nobody", media], 2, "No device is called “Nobody”"),
                    (["play", "Atic North", media], 2, "Did you mean “Attic North”"),
                    (["play", "Attic", media], 3, "“Attic” fits several devices"),
                    (["status", "Attic"], 3, "“Attic” fits several devices"),
                    (["play", "", media], 2, "No device"),
                    (["play", "Attic North", "/nowhere/x.mp3"], 64, "There is no file “/nowhere/x.mp3”"),
                    (["play", "Attic North", "/tmp"], 64, "is a folder"),
                    (["play", "Attic North", "file:///nowhere/x.mp3"], 64, "There is no file"),
                    (["play", "Attic North", "http:///x.mp3"], 64, "isn't an address"),
                    (["play", "Attic North", "http://localhost/x.mp3"], 64, "would look for localhost on itself"),
                    (["play", "Attic North", "http://[::1]:80/x.mp3"], 64, "on itself"),
                    (["play", "Attic North", media, "--from", "-5"], 64, "--from"),
                    (["play", "Attic North", media, "--from", "99999999999999999"], 64, "--from takes seconds"),
                    (["volume", "Attic North", "200"], 64, "“200” isn't a level"),
                    (["volume", "Attic North", "NaN"], 64, "“NaN” isn't a level"),
                    (["volume", "Attic North", "inf"], 64, "“inf” isn't a level"),
                    (["seek", "nan"], 64, "“nan” isn't a position"),
                    (["seek", "1:99:99:99"], 64, "isn't a position"),
                    (["pause"], 2, "Nothing plays"), (["stop", "Attic North"], 2, "Nothing plays on Attic North"),
                    (["discover", "--timeout", "0"], 64, "--timeout"),
                    (["discover", "--timeout", "nan"], 64, "--timeout"),
                    (["forget", "Nobody"], 2, "No device is called"), (["frobnicate"], 64, "frobnicate"),
                ]
                // This one gets as far as a session, which the others must not see.
                let foreign = try await daemon.mdhost("play", "Attic North", "gopher://10.77.0.5/x")
                foreign.expect("gopher", status: 6, "play http addresses, not gopher")
                try await withThrowingTaskGroup { group in
                    for (arguments, status, sentence) in mistakes {
                        group.addTask {
                            let result = try await daemon.run(arguments)
                            result.expect(arguments.joined(separator: " "), status: status, sentence)
                            #expect(result.output.isEmpty, "standard output has more than the answer: \(result)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await daemon.list("sessions").isEmpty)
                try await daemon.expectReturn(to: before, "command line")
                one.stop()
                two.stop()
            }
        }

        @Test func seekingBeyondTheEndHarmsNobody() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let renderer = try await HostileRenderer.start(
                    .init(name: "Seeker", actions: ["Seek": .fault(711)]), on: evil)
                try await daemon.awaitRenderers([renderer])
                #expect(try await daemon.mdhost("play", "Seeker", renderer.media, "--detach").status == 0)
                try await eventually("a state that can be sought in") {
                    let playback = try await daemon.list("sessions").first?["playback"] as? [String: Any]
                    return playback?["seekCapabilities"] as? Int != 0
                }
                for position in ["9:59:59", "99999999999999", "+1e300", "1e308"] {
                    let result = try await daemon.mdhost("seek", position)
                    #expect([0, 64].contains(result.status), "\(position): \(result)")
                }
                let session = try #require(try await daemon.list("sessions").first)
                #expect(session["state"] as? String == "active")
                #expect(try await daemon.mdhost("stop").status == 0)
                try await eventually("the end of its subscriptions") { renderer.subscriptions == 0 }
                renderer.stop()
            }
        }

        /// A file that this user may not read: neither daemon nor command run as root here.
        @Test func aFileThatCannotBeReadIsToldAsSuch() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-other-\(UUID().uuidString)")
                .path
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = folder + "/secret.mp3"
            try "text".write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let result = try await Command.run(
                ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups", PrivateDaemon.program, "play", "Any", file],
                environment: PrivateDaemon.environment(folder))
            result.expect("unreadable file", status: 64, "cannot be read")
        }

        /// As in a file on a full disk.
        @Test func anAnswerThatCannotBeWrittenIsAnError() async throws {
            try await PrivateDaemon.run(watching: false) { daemon in
                for arguments in [["extension", "list"], ["status", "--json"], ["doctor"]] {
                    let result = try await Command.run(
                        ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full", PrivateDaemon.program] + arguments,
                        environment: PrivateDaemon.environment(daemon.folder))
                    result.expect("\(arguments)", status: 1, "The output can't be written: No space left on device.")
                }
            }
        }

        @Test(arguments: ["mdhost-dlna", "mdhost-mpd", "mdhost-reader", "mdhost-artwork"])
        func programsThatCannotWriteTheirLogDoNotCrash(program: String) async throws {
            let result = try await Command.run(
                ["/bin/sh", "-c", "exec \"$0\" 2> /dev/full", PrivateDaemon.programs + "/" + program])
            #expect(result.status == 64, "\(result)")
        }
    }
}

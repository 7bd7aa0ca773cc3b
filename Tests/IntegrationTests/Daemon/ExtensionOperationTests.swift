import Foundation
import HostClient
import Testing

extension Product {
    /// Extensions as a person looks after them: by command, and by putting them into a folder.
    @Suite struct ExtensionOperationTests {
        private static let dlna = "org.mdhost.dlna"
        private static let mpd = "org.mdhost.mpd"

        private func status(_ name: String, _ home: Household) async throws -> ClientExtension {
            try JSONLines.one(try await home.succeed("extension", "info", name, "--json"))
        }

        /// Installs an extension that finds one device, `Speaker`.
        ///
        /// - Parameter script: The first commands of its program.
        private func install(
            _ home: Household, _ name: String, into folder: String = "data/mdhost/extensions", script: String = ""
        ) throws {
            let folder = "\(home.folder)/\(folder)/\(name).mdext"
            let files = FileManager.default
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let maker = BundleMaker(path: folder, name: name)
            maker.text.replace(
                "<key>CFBundleExecutable</key>",
                with: "<key>MDHostRunsPrograms</key><true/><key>CFBundleExecutable</key>")
            try maker.write(maker.text, to: "Info.plist", mode: 0o644)
            if !files.fileExists(atPath: folder + "/FaultyExtension") {
                try ProgramCopy.make(
                    of: PrivateDaemon.programs + "/FaultyExtension", at: folder + "/FaultyExtension")
            }
            try maker.write(
                "#!/bin/sh\n\(script)\nexec \"${0%/*}/FaultyExtension\"\n", to: "program", mode: 0o755)
        }

        @Test func aSwitchedOffOneStaysOffAcrossARestartOfTheDaemon() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let process = try #require(try await status("dlna", home).processID)
                #expect(try await home.succeed("extension", "disable", "dlna") == "DLNA is switched off.\n")
                let off = try await status("dlna", home)
                #expect(off.state == "disabled" && off.processID == nil && off.usage == nil)
                #expect(!home.processes.contains(Int32(process)))
                #expect(try await home.status().devices.allSatisfy { $0.extension != Self.dlna })
                try await home.quit()

                #expect(try await status("dlna", home).state == "disabled")
                let found = try await home.discover()
                #expect(found.contains { $0.name == "Open Room" } && !found.contains { $0.extension == Self.dlna })

                // Enabled while a client runs discovery, it takes part in it.
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("a look around") { watch.output.contains("Open Room") }
                let line = try await home.succeed("extension", "enable", "dlna", "--json")
                #expect(line == "{\"enabled\":true,\"extension\":\"org.mdhost.dlna\"}\n")
                try await eventually("Living Room") { watch.output.contains("Living Room") }
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)
                try await home.quit()
            }
        }

        @Test func aReloadSwapsOneAndTheOthersPlayOn() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("both") {
                    watch.output.contains("Open Room") && watch.output.contains("Living Room")
                }
                try await home.succeed("play", "Open Room", LabMedia.mp3, "--detach")
                try await eventually("music") { try await MusicServer.openRoom.state() == "playing" }
                let before = try await status("dlna", home)
                let neighbour = try await status("mpd", home)
                let text = try await home.succeed("extension", "reload", "dlna")
                let after = try await status("dlna", home)
                #expect(after.processID != before.processID && after.generation == before.generation + 1)
                #expect(after.restarts == 0 && after.lastError == nil)
                #expect(text == "Reloaded DLNA \(after.version): process \(after.processID ?? 0).\n")
                let now = try await status("mpd", home)
                #expect(now.processID == neighbour.processID && now.generation == neighbour.generation)
                #expect(try await MusicServer.openRoom.state() == "playing")
                try await eventually("the device again") {
                    try await home.device("Living Room").availability == "ready"
                }
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)

                // An unneeded extension is ended, and launched again when it is needed. Discovery goes on for ten
                // seconds after the last lease.
                try await eventually("an idle extension", within: .seconds(30)) {
                    try await home.succeed("extension", "reload", "dlna").contains("it is idle until somebody needs it")
                }
                #expect(try await home.discover().contains { $0.name == "Living Room" })
                try await home.quit()
            }
        }

        @Test func whatARunningOneTakesIsShown() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let list: [ClientExtension] = try JSONLines.one(try await home.succeed("extension", "list", "--json"))
                for one in list where one.state == "running" {
                    let usage = try #require(one.usage, "\(one)")
                    #expect(usage.memory > 1_000_000 && usage.memory < 200_000_000, "\(usage)")
                    #expect(usage.processorTime >= 0 && usage.runningTime < 120, "\(usage)")
                }
                let table = try await home.succeed("extension")
                #expect(table.contains("MEMORY") && table.contains(" MB "), "\(table)")
                let info = try await home.succeed("extension", "info", "mp")
                #expect(info.contains("_mpd._tcp") && info.contains(Self.mpd) && info.contains("running"), "\(info)")
                try await home.quit()
            }
        }

        @Test func namesThatFitNoneOrSeveralAreExplained() async throws {
            try await Household.open { home in
                let typo = try await home.run("extension", "reload", "mdp")
                #expect(typo.status == 2 && typo.errors.contains("Did you mean “MPD”?"), "\(typo)")
                #expect(typo.errors.contains("mdhost extension list"), "\(typo)")
                let several = try await home.run("extension", "info", "org.mdhost", "--json")
                #expect(several.status == 3, "\(several)")
                let error = try JSONLines.one(several.errors, as: PrintedError.self).error
                #expect(error.code == "ambiguous-name", "\(several)")
                try await home.quit()
            }
        }

        @Test func theLogTellsOfACrashedProcessAndIsFollowed() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("Open Room") { watch.output.contains("Open Room") }
                let follow = try home.start("extension", "logs", "dlna", "--follow", "--json")
                try await eventually("the log") { follow.output.contains("running as process") }
                let first = try await status("dlna", home)
                kill(try #require(first.processID.map(Int32.init)), SIGKILL)
                try await eventually("the next process") { follow.output.contains("\"generation\":2") }
                try await eventually("the end of the first") { follow.output.contains("was killed by signal 9") }
                follow.send(SIGINT)
                #expect(await follow.waitForExit() == 0)

                let log = try await home.succeed("extension", "logs", "dlna")
                #expect(log.contains("was killed by signal 9") && log.contains("running as process"), "\(log)")
                let last = try await home.succeed("extension", "logs", "dlna", "--lines", "1", "--json")
                #expect(last.split(separator: "\n").count == 1, "\(last)")
                #expect(try await status("dlna", home).lastExit == "was killed by signal 9 (Killed)")
                watch.send(SIGINT)
                _ = await watch.waitForExit()
            }
        }

        @Test func oneIsInstalledReplacedAndRemovedWhileTheDaemonRuns() async throws {
            try await Household.open { home in
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("Open Room") { watch.output.contains("Open Room") }
                let neighbour = try await status("mpd", home)
                // Even the folder they lie in is new.
                try install(home, "late")
                try await eventually("the device of the new one") {
                    try await home.status().devices.contains { $0.name == "Speaker" }
                }
                let first = try await status("org.example.late", home)
                #expect(first.state == "running")

                try install(home, "late", script: "echo '\u{1B}[31mred'; echo '<4>careful' >&2")
                try await eventually("the process of the replaced program") {
                    let now = try await status("org.example.late", home)
                    return now.state == "running" && now.processID != first.processID
                }
                let log = try await home.succeed("extension", "logs", "org.example.late")
                #expect(
                    log.contains("warning  careful") && log.contains("[31mred") && !log.contains("\u{1B}"), "\(log)")

                try FileManager.default.removeItem(atPath: home.folder + "/data/mdhost/extensions/late.mdext")
                try await eventually("its end") {
                    try await home.status().extensions.allSatisfy { $0.id != "org.example.late" }
                }
                #expect(try await home.status().devices.allSatisfy { $0.name != "Speaker" })
                #expect(try await home.run("extension", "info", "org.example.late").status == 2)
                #expect(try await status("mpd", home).processID == neighbour.processID)
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)
                try await home.quit()
            }
        }

        @Test func aReplacementIsInUseOnceItsInstallationIsTold() async throws {
            try await Household.open { home in
                let source = home.folder + "/sources/early.mdext"
                try install(home, "early", into: "sources")
                let watch = try home.start("discover", "--watch", "--json")
                try await eventually("Open Room") { watch.output.contains("Open Room") }
                try await home.succeed("extension", "install", source)
                try await eventually("its device") { watch.output.contains("Speaker") }
                let first = try await status("org.example.early", home)

                try install(home, "early", into: "sources", script: "echo second")
                try await home.succeed("extension", "install", source)
                let second = try await status("org.example.early", home)
                #expect(second.state == "running" && second.processID != first.processID)
                #expect(try await home.succeed("extension", "logs", "org.example.early").contains("second"))

                try install(home, "early", into: "sources", script: "exit 3")
                let failed = try await home.run("extension", "install", source)
                #expect(failed.status != 0 && failed.output.contains("Installed"), "\(failed)")
                watch.send(SIGINT)
                #expect(await watch.waitForExit() == 0)
                try await home.quit()
            }
        }

        @Test func whatAKilledDaemonLeftIsGoneOnceTheNextOneServes() async throws {
            try await Household.open { home in
                // It ignores the end of its link and all signals but SIGKILL, and so do its children.
                try install(
                    home, "stubborn",
                    script:
                        "sh -c 'trap \"\" HUP TERM; while :; do sleep 1; done' &\nexport MDHOST_FAULT=stubborn")
                let watch = try home.start("discover", "--watch")
                try await eventually("the stubborn one") {
                    try await status("org.example.stubborn", home).state == "running"
                }
                let daemon = Int32(try await home.status().daemon.processID)
                kill(daemon, SIGKILL)
                _ = await watch.waitForExit()
                let left = Set(home.processes)
                #expect(!left.isEmpty)
                #expect(try await Int32(home.status().daemon.processID) != daemon)
                try await eventually("the end of \(left)") { left.isDisjoint(with: home.processes) }
                try await home.quit()
            }
        }
    }
}

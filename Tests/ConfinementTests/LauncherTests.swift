import Confinement
import Foundation
import Testing

/// The launcher with the hostile program, as an ordinary user too: the kernel does not limit root in all things.
@Suite(.timeLimit(.minutes(5))) struct LauncherTests {
    @Test(.enabled(if: ConfinedRun.canBeAUser, "an ordinary user cannot use the built programs here"))
    func anOrdinaryUsersThreadsAndProcessesAreCounted() throws {
        let run = try ConfinedRun(asUser: true)
        let attempts = try run.attempts(only: "fork bomb") { $0.startsProcesses = true }
        try #require(run.report?.landlock != nil)
        guard run.report?.countsProcesses == true else {
            print("no user namespaces here, so processes are not counted")
            return
        }
        #expect(attempts["fork bomb"]?.hasPrefix("limited\t511") == true, "\(attempts)")
        #expect(try run.attempts(only: "threads")["threads"]?.hasPrefix("limited") == true)
    }

    @Test func withoutThePermissionNoProcessCanBeStarted() throws {
        let run = try ConfinedRun(asUser: false)
        #expect(try run.attempts(only: "fork bomb")["fork bomb"]?.hasPrefix("limited\t0,") == true)
    }

    @Test func portsThatAreDeclaredAndNoOthers() throws {
        let run = try ConfinedRun(asUser: false)
        let names = ["a port it did not declare", "a port of the system's choice", "a declared port"]
        func outcomes(_ change: (inout ConfinementPolicy) -> Void) throws -> [String?] {
            try names.map { name in
                try run.attempts(only: "listen on " + name, change)["listen on " + name]
                    .flatMap { $0.split(separator: "\t").first.map(String.init) }
            }
        }
        #expect(try outcomes { _ in } == ["refused", "refused", "refused"])
        // Not one of those that the system gives to outgoing connections.
        let declares = { (policy: inout ConfinementPolicy) in policy.ports = [27998] }
        #expect(try outcomes(declares).last == "done")
        guard (run.report?.landlock ?? 0) >= 4 else { return }
        let declared = try outcomes(declares)
        #expect(declared == ["refused", "refused", "done"])
        let any = try outcomes { $0.takesConnections = true }
        #expect(any == ["refused", "done", "refused"])
    }

    /// The promise for kernels without Landlock: files are open there, everything else is refused as with it.
    @Test func withoutLandlockTheFilterHoldsAlone() throws {
        let run = try ConfinedRun(asUser: false)
        let victim = try Self.diary(in: run)
        let attempts = try run.attempts(
            victims: [
                "HOSTILE_FILES": "diary=\(victim)", "HOSTILE_CHANGES": "diary=\(victim)",
                "HOSTILE_DAEMON": "\(getpid())", "TMPDIR": run.folder + "/state/tmp",
            ]
        ) {
            $0.usesLandlock = false
            $0.hidesFiles = false
        }
        #expect(run.report?.landlock == 0 && run.report?.filtersCalls == true && run.report?.hidesFiles == false)
        #expect(attempts.count > 140)
        let done = attempts.filter { $0.value.hasPrefix("done") && !$0.key.hasPrefix("may: ") }.map(\.key)
        #expect(Set(done).filter { !Self.remainsWithoutLandlock($0) }.isEmpty)
        for attempt in attempts where attempt.key.hasPrefix("may: ") {
            #expect(attempt.value == "done", "\(attempt)")
        }
        var status = stat()
        #expect(lstat(victim, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    }

    /// Files outside cannot even be asked for, also by an ordinary user, and where the kernel has no Landlock.
    @Test(arguments: [true, false], [true, false]) func filesOutsideAreOutOfSight(asUser: Bool, landlock: Bool) throws {
        guard !asUser || ConfinedRun.canBeAUser else {
            return print("an ordinary user cannot use the built programs here")
        }
        let run = try ConfinedRun(asUser: asUser)
        let victim = try Self.diary(in: run, mode: 0o666)
        let attempts = try run.attempts(
            victims: [
                "HOSTILE_CHANGES": "diary=\(victim)", "HOSTILE_FILES": "diary=\(victim)",
                "TMPDIR": run.folder + "/state/tmp",
            ]
        ) { $0.usesLandlock = landlock }
        guard run.report?.hidesFiles == true else {
            print("no namespaces of mounts here, so files outside can be seen")
            return
        }
        let sights = attempts.filter { $0.key.hasPrefix("see by ") }
        #expect(sights.count == 11)
        for (name, outcome) in attempts where name.hasSuffix("(diary)") || name == "diary" {
            #expect(outcome.hasPrefix("refused"), "\(name): \(outcome)")
        }
        for attempt in attempts where attempt.key.hasPrefix("may: ") {
            #expect(attempt.value == "done", "\(attempt)")
        }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    }

    /// Where no view can be made, what there was stays: nothing is half hidden.
    @Test func withoutAViewEverythingElseHolds() throws {
        let run = try ConfinedRun(asUser: false)
        let victim = try Self.diary(in: run)
        let attempts = try run.attempts(victims: [
            "HOSTILE_CHANGES": "diary=\(victim)", "TMPDIR": run.folder + "/state/tmp",
        ]) { $0.hidesFiles = false }
        #expect(run.report?.hidesFiles == false)
        #expect(attempts["see by stat (diary)"] == "done" && attempts["see by readlink (diary)"] == "done")
        guard run.report?.landlock != 0 else { return }
        for (name, outcome) in attempts where name.hasSuffix("(diary)") && !name.hasPrefix("see by ") {
            #expect(outcome.hasPrefix("refused"), "\(name): \(outcome)")
        }
    }

    /// Opening files that the user may open, making and moving them, and looking into processes of the same user.
    private static func remainsWithoutLandlock(_ attempt: String) -> Bool {
        #if SANITIZED
            if attempt == "memory (MB)" { return true }
        #endif
        let changes = [
            "link into its own folder", "link by descriptor", "move into its own folder", "move its own file there",
            "exchange with its own file", "link there", "make a folder there", "a socket there",
            "open anew what is open as a path",
        ].map { $0 + " (diary)" }
        if attempt.hasPrefix("see by ") { return true }
        return changes.contains(attempt) || (attempt.hasPrefix("read by ") && attempt.hasSuffix(" (diary)"))
            || attempt == "diary" || attempt == "shared anonymous memory by way of /dev/zero"
            || ["open /", "open the daemon's ", "read the daemon's environment", "take the daemon's descriptors"]
                .contains { attempt.hasPrefix($0) }
    }

    private static func diary(in run: ConfinedRun, mode: mode_t = 0o600) throws -> String {
        try FileManager.default.createDirectory(atPath: run.folder + "/home", withIntermediateDirectories: true)
        let path = run.folder + "/home/diary"
        try Data("mine".utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: "diary")
        return path
    }

    /// Foundation uses other system calls than C; those it needs for ordinary work must be allowed.
    @Test(arguments: [true, false]) func aProgramInSwift(landlock: Bool) throws {
        let run = try ConfinedRun(asUser: false, program: "HostileSwiftExtension")
        let diary = try Self.diary(in: run)
        let attempts = try run.attempts(
            victims: landlock
                ? ["HOSTILE_DIARY": diary, "HOSTILE_HOME": run.folder + "/home", "HOSTILE_DAEMON": "\(getpid())"] : [:]
        ) { $0.usesLandlock = landlock }
        try #require(!landlock || run.report?.landlock != 0, "this kernel has no Landlock")
        #expect(attempts.count >= (landlock ? 35 : 12), "\(attempts)")
        for (name, outcome) in attempts {
            #expect(outcome.hasPrefix("done") == name.hasPrefix("may: "), "\(name): \(outcome)")
        }
        #expect(try String(contentsOfFile: diary, encoding: .utf8) == "mine")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: run.folder + "/home").sorted() == [
                "diary", "diary-link",
            ])
    }

    /// The parent may die before the child can ask to be told of it.
    @Test func aDeadParentsProgramDoesNotStart() throws {
        let run = try ConfinedRun(asUser: false)
        let attempts = try run.attempts(only: "clone3") { $0.parent = 1 }
        #expect(attempts.isEmpty && run.status == 0)
    }

    @Test func theProgramEndsWithItsParent() async throws {
        let run = try ConfinedRun(asUser: false)
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(filePath: "/bin/sh")
        var policy = run.policy
        policy.parent = 0x7FFF_0001
        // The shell knows its number, and waits.
        let words = (policy.arguments + ["--", "/bin/sleep", "1000"]).map {
            $0 == "\(policy.parent)" ? "$$" : "'\($0)'"
        }
        shell.arguments = ["-c", "'\(run.launcher)' \(words.joined(separator: " ")) 4>/dev/null & echo $!; wait"]
        shell.standardOutput = output
        try shell.run()
        let text = try #require(output.fileHandleForReading.availableData.split(separator: 10).first)
        let child = try #require(Int32(String(decoding: text, as: UTF8.self)))
        while (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/exe"))?.hasSuffix("sleep")
            != true
        {
            try #require(kill(child, 0) == 0, "it ended by itself")
            await Task.yield()
        }
        kill(shell.processIdentifier, SIGKILL)
        while isRunning(child) { await Task.yield() }
    }

    private func isRunning(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = text.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state != "Z"
    }
}

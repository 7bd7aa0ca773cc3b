import Foundation
import Logging
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1))) struct ExtensionOrphansTests {
    private func environment(_ entries: String...) -> Data { Data(entries.joined(separator: "\0").utf8) + [0] }

    @Test func onlyProcessesOfAGoneDaemonWithThisFolderAreOrphans() {
        let folder = "MDHOST_STATE_DIRECTORY=/s/extensions/org.example.x"
        func isOrphan(_ environment: Data, start: UInt64?) -> Bool {
            ExtensionOrphans.isOrphan(environment: environment, stateFolder: "/s/extensions") { process in
                #expect(process == 77)
                return start
            }
        }
        let ours = environment("PATH=/bin", folder, "MDHOST_HOST_PROCESS=77:1234")
        #expect(isOrphan(ours, start: nil))
        #expect(isOrphan(ours, start: 9999), "another process has the number now")
        #expect(!isOrphan(ours, start: 1234))
        #expect(!isOrphan(environment(folder), start: nil))
        #expect(!isOrphan(environment("MDHOST_HOST_PROCESS=77:1234"), start: nil))
        #expect(!isOrphan(environment("MDHOST_STATE_DIRECTORY=/t/x", "MDHOST_HOST_PROCESS=77:1234"), start: nil))
        #expect(!isOrphan(environment(folder, "MDHOST_HOST_PROCESS=77"), start: nil))
        #expect(!isOrphan(Data(), start: nil))
    }

    /// A program in a session of its own, as an extension's helper may be, that ignores every polite signal.
    ///
    /// - Returns: Its number.
    private func sleeper(_ mark: String, _ folder: TemporaryFolder) throws -> Int32 {
        let process = Process()
        let ready = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        process.arguments = [
            "/bin/sh", "-c", "trap '' TERM HUP INT; echo $$; exec >&-; while :; do sleep 1; done",
        ]
        process.environment = [
            "PATH": "/usr/bin:/bin", "MDHOST_STATE_DIRECTORY": folder.path + "/org.example.x",
            ExtensionOrphans.variable: mark,
        ]
        process.standardOutput = ready
        try process.run()
        // It speaks once it ignores them.
        let line = try ready.fileHandleForReading.readToEnd() ?? Data()
        return try #require(Int32(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)))
    }

    @Test func whatAnEarlierDaemonLeftIsEndedAndWhatThisOneRunsIsNot() async throws {
        let folder = try TemporaryFolder()
        let own = try sleeper(ExtensionOrphans.mark, folder)
        defer { kill(own, SIGKILL) }
        let orphan = try sleeper("\(getpid()):1", folder)
        #expect(isAlive(own) && isAlive(orphan))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        #expect(ExtensionOrphans.end(stateFolder: folder.path, logger: logger) >= 1)
        while isAlive(orphan) { await Task.yield() }
        #expect(isAlive(own))
        #expect(ExtensionOrphans.end(stateFolder: folder.path, logger: logger) == 0)
    }
}

import Foundation
import Synchronization
import Testing

/// The whole product as processes, against the real receivers of the lab (docs/lab.md).
///
/// Witnesses are independent of the project: `curl` with hand-written SOAP, `mpc`, the receivers' own samples, `tcpdump`,
/// `busctl`. One test at a time, as all use the same receivers; each has a daemon with folders of its own.
@Suite(
    .serialized, .enabled(if: LabHost.isThisOne, "needs the lab: scripts/setup test"), RealReceivers(),
    ConcludesFaultMatrix(), .timeLimit(.minutes(FaultPlan.minutes * slowness)))
enum Product {}

/// The receivers of docs/lab.md, up before each test: one may have been stopped, or have crashed or hung, in the test
/// before.
struct RealReceivers: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if try await Self.isOneMissing() { try await Self.start() }
        // A receiver crashes by itself now and then, as Rygel does in libsoup; such a failure isn't the project's.
        let hasCrashed = Atomic(false)
        try await withKnownIssue("a receiver crashed or hung", isIntermittent: true) {
            try await function()
        } matching: { _ in
            if Self.isOneMissingNow() { hasCrashed.store(true, ordering: .relaxed) }
            return hasCrashed.load(ordering: .relaxed)
        }
        guard hasCrashed.load(ordering: .relaxed) else { return }
        print("a receiver crashed or hung during \(test.name), which is run once more")
        try await Self.start()
        try await function()
    }

    /// Starts gmediarender afresh if it answers no command; it is known to wait for itself for ever now and then.
    ///
    /// - Returns: `true` if it didn't answer.
    static func replaceHanging() async throws -> Bool {
        guard try await status().contains(" hangs ") else { return false }
        try await start()
        return true
    }

    private static let statusCommand = [LabHost.script, "receivers", "status"]

    private static func status() async throws -> String { try await Command.run(statusCommand).output }

    private static func isOneMissing() async throws -> Bool { isMissing(in: try await status()) }

    private static func isMissing(in status: String) -> Bool {
        status.contains(" stopped ") || status.contains(" hangs ")
    }

    /// The same for callers that can't await.
    private static func isOneMissingNow() -> Bool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: statusCommand[0])
        process.arguments = Array(statusCommand.dropFirst())
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return false }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return isMissing(in: String(decoding: output, as: UTF8.self))
    }

    /// Starts the receivers that don't run, and waits until they can be found.
    static func start() async throws {
        let result = try await Command.run([LabHost.script, "receivers", "start"])
        guard result.status == 0 else { throw WaitedInVain(description: "the receivers: \(result)") }
    }

    /// Ends one by a signal, as `scripts/lab receivers` counts them.
    static func end(_ program: String, on host: String, signal: String = "TERM") async throws {
        let number = try String(contentsOfFile: "\(LabHost.folder)/\(host)/\(program).pid", encoding: .utf8)
        let result = try await Command.run(
            [LabHost.script, "in", host, "kill", "-\(signal)", number.trimmingCharacters(in: .whitespacesAndNewlines)])
        guard result.status == 0 else { throw WaitedInVain(description: "the end of \(program): \(result)") }
    }
}

/// The extent of the fault tests, set by the environment, because long runs take more time than any other test may.
enum FaultPlan {
    /// The number of times the daemon is killed: `MDHOST_FAULT_ROUNDS`, 1 to 200.
    static let rounds = number("MDHOST_FAULT_ROUNDS").map { Int(min(200, max(1, $0))) } ?? 40
    /// The number of times a device is switched on or off: `MDHOST_SWITCHINGS`, 1 to 2,000.
    static let switchings = number("MDHOST_SWITCHINGS").map { Int(min(2_000, max(1, $0))) } ?? 60
    /// The number of times the reader of a medium is killed: `MDHOST_READER_KILLS`, 1 to 200.
    static let readerKills = number("MDHOST_READER_KILLS").map { Int(min(200, max(1, $0))) } ?? 4
    /// The same moments and the same order of commands again: `MDHOST_FAULT_SEED`.
    static let seed = number("MDHOST_FAULT_SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
    /// The time limit of a test.
    static let minutes = switchings > 60 ? 60 : max(rounds, readerKills) > 40 ? 15 : 2
    /// On a machine so slow that this passes, fewer have to do; never fewer than a quarter.
    static let limit = Duration.seconds(2) * max(40, rounds)

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }
}

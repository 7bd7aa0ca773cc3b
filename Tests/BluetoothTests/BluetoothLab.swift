import Foundation
import Testing

/// The machine with Bluetooth that `scripts/bluetooth-lab` boots (docs/bluetooth-lab.md): once for all scenarios.
actor BluetoothLab {
    static let shared = BluetoothLab()

    /// The reason the lab isn't available; `nil` if it is.
    static let obstacle: String? = {
        let outcome = Result { try BluetoothLab.execute(["check"]) }
        switch outcome {
        case .success((0, _)): return nil
        case .success((_, let output)): return output.trimmingCharacters(in: .whitespacesAndNewlines)
        case .failure(let error): return "\(error)"
        }
    }()

    /// The outcome of one scenario.
    struct Outcome: Sendable {
        var status: Int32
        /// Everything it and the programs it ran wrote.
        var lines: [String]

        /// Returns the text after `name: ` in the first line that begins with it.
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }

        /// The same, or an empty string without such a line.
        subscript(name: String) -> String { value(name) ?? "" }
    }

    private static let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let controllers = 3
    /// The limit for the machine's whole life; on a busy or slow computer it takes three times as long as on an idle
    /// one.
    private static let seconds = 2400

    private var run: Task<[String: Outcome], any Error>?

    /// Returns the outcome of a scenario; boots the machine and runs all scenarios the first time.
    func outcome(of scenario: Scenario) async throws -> Outcome {
        if run == nil {
            run = Task.detached { try Self.run(Scenario.chosen.map(\.name)) }
        }
        return try Self.found(scenario, in: try await run?.value)
    }

    /// Returns its outcome in another machine.
    func repeatedOutcome(of scenario: Scenario) async throws -> Outcome {
        try Self.found(scenario, in: try await Task.detached { try Self.run([scenario.name]) }.value)
    }

    private static func found(_ scenario: Scenario, in outcomes: [String: Outcome]?) throws -> Outcome {
        guard let outcome = outcomes?[scenario.name] else {
            throw LabFailure(description: "\(scenario.name) did not come to its end")
        }
        return outcome
    }

    private static func run(_ names: [String]) throws -> [String: Outcome] {
        let script = tree.appending(path: "Tests/BluetoothTests/Scenarios/run-scenarios").path
        let (status, output) = try execute(
            ["run", "--seconds", "\(seconds)", "--controllers", "\(controllers)", "--", script, programs] + names)
        let outcomes = read(output)
        if status != 0 || outcomes.count != names.count {
            print("scripts/bluetooth-lab ended with \(status):\n\(output)")
        }
        return outcomes
    }

    /// The folder of the programs under test: beside the tests themselves.
    private static var programs: String {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.appending(path: "mdhost").path) {
            folder.deleteLastPathComponent()
        }
        return folder.path
    }

    private static func read(_ output: String) -> [String: Outcome] {
        var outcomes: [String: Outcome] = [:]
        var lines: [String] = []
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ")
            if line.hasPrefix("@@ begin ") {
                lines = []
            } else if line.hasPrefix("@@ end "), words.count == 4, let status = Int32(words[3]) {
                outcomes[String(words[2])] = Outcome(status: status, lines: lines)
            } else {
                lines.append(String(line))
            }
        }
        return outcomes
    }

    /// Runs `scripts/bluetooth-lab` to its end, which it sees to itself.
    private static func execute(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = tree.appending(path: "scripts/bluetooth-lab")
        process.arguments = arguments
        process.currentDirectoryURL = tree
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

struct LabFailure: Error, CustomStringConvertible {
    let description: String
}

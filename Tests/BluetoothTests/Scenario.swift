import Foundation
import Synchronization
import Testing

/// A scenario in the machine with Bluetooth, and the expected results.
///
/// The steps are a script in `Scenarios`, so that it can be run by hand:
///
///     scripts/bluetooth-lab run --controllers 3 Tests/BluetoothTests/Scenarios/run-scenarios .build/debug lamp
struct Scenario: Sendable, CustomTestStringConvertible {
    /// The script's, without `.sh`.
    let name: String
    let judge: @Sendable (BluetoothLab.Outcome) throws -> Void

    var testDescription: String { name }

    static let all = [
        sandbox, doctor, lamp, presence, speaker, speakerPIN, earbuds, sound, control, trouble, earbudsTrouble,
    ]

    /// The scenarios in `MDHOST_BLUETOOTH_SCENARIOS`, separated by commas; all if it isn't set.
    static let chosen: [Scenario] = {
        guard let names = ProcessInfo.processInfo.environment["MDHOST_BLUETOOTH_SCENARIOS"] else {
            return all
        }
        return all.filter { names.split(separator: ",").contains($0.name[...]) }
    }()
}

/// On a machine that has none: bluetoothd, virtual controllers, and Bumble's devices.
@Suite(.serialized, .timeLimit(.minutes(55)))
struct ScenarioTests {
    @Test(
        .enabled(if: BluetoothLab.obstacle == nil, "\(BluetoothLab.obstacle ?? "")"), arguments: Scenario.chosen)
    func inTheMachine(_ scenario: Scenario) async throws {
        // An emulated radio misses packets that a real one receives, and more so on a busy computer.
        let faults = try await issues {
            try Self.judge(scenario, try await BluetoothLab.shared.outcome(of: scenario))
        }
        guard !faults.isEmpty else { return }
        for fault in faults { print("once more: Bluetooth scenario \(scenario.name): \(fault)") }
        try Self.judge(scenario, try await BluetoothLab.shared.repeatedOutcome(of: scenario))
    }

    private static func judge(_ scenario: Scenario, _ outcome: BluetoothLab.Outcome) throws {
        let story = outcome.lines.joined(separator: "\n")
        try #require(outcome.status == 0, "\(scenario.name) ended with \(outcome.status):\n\(story)")
        try scenario.judge(outcome)
    }

    /// Returns the issues that `body` records, instead of recording them.
    private func issues(_ body: @escaping @Sendable () async throws -> Void) async throws -> [String] {
        let found = Mutex<[String]>([])
        let test = try #require(Test.current)
        try await IssueHandlingTrait.compactMapIssues { issue in
            found.withLock { $0.append("\(issue)") }
            return nil
        }.provideScope(for: test, testCase: Test.Case.current) {
            do { try await body() } catch { found.withLock { $0.append("\(error)") } }
        }
        return found.withLock { $0 }
    }
}

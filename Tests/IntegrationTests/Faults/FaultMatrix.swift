import Foundation
import Synchronization
import Testing

/// The fault reports of all tests in this process: printed after the last test, and written to a file in a complete
/// run.
enum FaultMatrix {
    private static let table = Mutex(FaultTable())
    private static let promised = Mutex<Set<Fault>>([])

    static func report(_ report: FaultReport) { table.withLock { $0.add(report) } }

    fileprivate static func promise(_ faults: [Fault]) { promised.withLock { $0.formUnion(faults) } }

    /// A Boolean value that indicates whether every test with fault reports runs; `scripts/run-tests` sets it for its
    /// longer half.
    static let isWholeRun = ProcessInfo.processInfo.environment["MDHOST_FAULT_MATRIX"] == "whole"

    /// The reports folder of this clone.
    private static let reports: URL = {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appending(path: ".build/reports")
    }()

    /// Prints the table; where every test was run, also writes it down and looks whether all is in it.
    fileprivate static func conclude() {
        let table = table.withLock { $0 }
        if !table.reports.isEmpty { print("\nFAULT MATRIX\n\n\(table.text)") }
        let missing = isWholeRun ? table.missing : promised.withLock { $0 }.filter(table.missing.contains)
        #expect(missing.isEmpty, "nothing was reported of: \(missing.map(\.rawValue).sorted().joined(separator: ", "))")
        guard isWholeRun else { return }
        do {
            try FileManager.default.createDirectory(at: reports, withIntermediateDirectories: true)
            for (kind, words) in [("md", table.markdown), ("txt", table.text)] {
                try Data(words.utf8).write(to: reports.appending(path: "fault-matrix." + kind))
            }
        } catch {
            Issue.record("the table cannot be written: \(error)")
        }
    }
}

/// On the suite that all tests of faults are in: concludes the matrix.
struct ConcludesFaultMatrix: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        FaultMatrix.conclude()
    }
}

/// On a test that reports of a fault: a run in which it does not is noticed.
struct ReportsFaults: TestTrait, SuiteTrait {
    let faults: [Fault]

    func prepare(for test: Test) async throws { FaultMatrix.promise(faults) }
}

extension Trait where Self == ReportsFaults {
    static func reports(_ faults: Fault...) -> Self { ReportsFaults(faults: faults) }
}

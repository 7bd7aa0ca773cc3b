import Foundation
import Testing

/// Invalid input from outside: on the network, in folders, on the command line, on the daemon's own socket.
///
/// Each test has a daemon of its own, and at the end counts the system resources that it and its extensions hold. One
/// test at a time, because every daemon on the LAN receives the packets of hostile peers.
@Suite(
    .serialized, .enabled(if: LabHost.isThisOne, "needs the lab: scripts/lab at d swift test"), HostileHosts(),
    .timeLimit(.minutes(1 * slowness)))
enum BadInput {}

/// Hosts of the LAN that hostile peers live on, up while the suite runs.
struct HostileHosts: SuiteTrait, TestScoping {
    /// With Avahi.
    @TaskLocal static var evil: LabHost?
    /// With a network alone, and never announced by anything good.
    @TaskLocal static var flood: LabHost?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A run that was broken off may have left its peers in them.
        for name in ["evil", "flood"] { try await LabHost.down(name) }
        let evil = try await LabHost.up("evil")
        let flood = try await LabHost.up("flood", plain: true)
        do {
            try await Self.$evil.withValue(evil) {
                try await Self.$flood.withValue(flood) { try await function() }
            }
        } catch {
            try await LabHost.down("evil")
            try await LabHost.down("flood")
            throw error
        }
        try await LabHost.down("evil")
        try await LabHost.down("flood")
    }
}

extension CommandResult {
    /// Checks the exit code and the stable part of the sentence, and shows both.
    func expect(
        _ title: String, status expected: Int32, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(status == expected, "\(title): \(self)", sourceLocation: sourceLocation)
        #expect((errors + output).contains(sentence), "\(title): \(self)", sourceLocation: sourceLocation)
        let shown = (errors + output).split(separator: "\n").first ?? ""
        print("SHOWN \(title): exit \(status), \(duration), \(shown)")
    }
}

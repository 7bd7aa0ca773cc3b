import Testing

@testable import Confinement

@Suite struct PolicyArgumentTests {
    private var policy: ConfinementPolicy {
        var policy = ConfinementPolicy(parent: 42)
        policy.places = [.init("/usr", .run), .init("/a folder/--read", .read), .init("/state", .write)]
        policy.ports = [8200, 65535]
        policy.takesConnections = true
        policy.startsProcesses = true
        policy.usesLandlock = false
        policy.hidesFiles = false
        policy.limits.descriptors = 7
        policy.limits.memory = 1 << 40
        return policy
    }

    @Test func aPolicySurvivesTheCommandLine() throws {
        let read = try ConfinementPolicy.parse(policy.arguments + ["--", "/bin/true", "--", "x"])
        #expect(read.policy == policy)
        #expect(read.command == ["/bin/true", "--", "x"])
        let least = ConfinementPolicy(parent: 1)
        #expect(try ConfinementPolicy.parse(least.arguments + ["--", "p"]).policy == least)
        #expect(!least.listens && policy.listens)
    }

    /// A command line that is not understood in full confines nothing, so it must not start anything either.
    @Test(arguments: [
        [], ["--"], ["--parent", "1", "--"], ["--", "/bin/true"], ["--parent", "0", "--", "/bin/true"],
        ["--parent", "x", "--", "/bin/true"], ["--parent", "1", "--port", "70000", "--", "/bin/true"],
        ["--parent", "1", "--execute", "/usr", "--", "/bin/true"], ["--parent", "1", "/bin/true"],
        ["--parent", "1", "--memory", "-1", "--", "/bin/true"],
    ])
    func anythingElseIsRefused(arguments: [String]) {
        #expect(throws: ConfinementPolicy.ArgumentError.self) { try ConfinementPolicy.parse(arguments) }
    }

    @Test func theLauncherIsUnderstood() {
        let report = ConfinementReport(landlock: 3, filtersCalls: true, countsProcesses: false, hidesFiles: false)
        #expect(LauncherMessage(LauncherMessage.confined(report).line) == .confined(report))
        let failed = LauncherMessage.failed("Exec format error")
        #expect(LauncherMessage(LauncherMessage.confined(report).line + failed.line) == failed)
        #expect(LauncherMessage("") == nil && LauncherMessage("confined 1 1\nnonsense\n") == nil)
        #expect(report.parts == [.files, .systemCalls] && report.missing == [.ports, .signals, .processes, .view])
    }
}

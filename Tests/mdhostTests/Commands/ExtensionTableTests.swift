import DBus
import Testing

@testable import HostClient
@testable import mdhost

@Suite("Extensions as people see them")
struct ExtensionTableTests {
    @Test(
        "states",
        arguments: [
            ("running", 0.0, "running"), ("crashed", 103.2, "crashed, retry in 4 s"),
            ("crashed", 90, "crashed, retry in 0 s"), ("crashed", 0, "crashed"), ("quarantined", 0, "quarantined"),
            ("a\u{1B}[2Jb", 0, "a[2Jb"), ("crashed", 1e300, "crashed, retry in 86400 s"),
        ])
    func states(_ state: String, _ retryAt: Double, _ expected: String) throws {
        let status = try `extension`("A", id: "a", with: ["State": .string(state), "RetryAt": .double(retryAt)])
        #expect(ExtensionTable.state(status, now: 100) == expected)
    }

    @Test("memory, shared or not, and processor time")
    func usage() {
        var usage = ClientExtension.Usage(
            memory: 20_460_000, proportionalMemory: 12_349_000, processorTime: 0.44, runningTime: 60)
        #expect(ExtensionTable.memory(usage) == "12.3 MB")
        usage.proportionalMemory = nil
        #expect(ExtensionTable.memory(usage) == "20.5 MB")
        #expect(ExtensionTable.processorTime(0.44) == "0.4 s" && ExtensionTable.processorTime(62.9) == "1:02")
        #expect(ExtensionTable.processorTime(.infinity) == "")
    }

    @Test("a row has the trouble and what it takes")
    func row() throws {
        var status = try `extension`(
            "Kitchen\u{1B}[31m", id: "a",
            with: [
                "State": .string("crashed"), "RetryAt": .double(112), "LastError": .string("It ended."),
                "Restarts": .uint32(3), "ProcessID": .uint32(77),
            ])
        status.usage = .init(memory: 5_000_000, proportionalMemory: nil, processorTime: 1, runningTime: 1)
        let lines = ExtensionTable(extensions: [status], now: 100).lines(width: .max)
        #expect(lines.count == 2)
        #expect(
            lines[1].split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
                == "Kitchen[31m 1.0 DLNA crashed, retry in 12 s 77 5.0 MB 1.0 s 3 It ended.")
    }

    @Test("everything about one: what is empty is left out by the command")
    func info() throws {
        let status = try `extension`(
            "MPD", id: "org.mdhost.mpd",
            with: [
                "BonjourServices": .array(of: "s", [.string("_mpd._tcp")]), "Generation": .uint32(3),
                "Restarts": .uint32(1), "LastExit": .string("ended with status 0"),
            ])
        let rows = Dictionary(
            uniqueKeysWithValues: ExtensionCommand.Info.rows(status, now: 0).filter { !$0.1.isEmpty })
        #expect(rows["finds by"] == "_mpd._tcp" && rows["launches"] == "3, 1 after a crash")
        #expect(rows["last exit"] == "ended with status 0" && rows["process"] == nil && rows["memory"] == nil)
    }

    @Test("a line of a log: its columns stay, what a terminal would obey goes")
    func logLine() throws {
        let line = try #require(
            ClientLogLine(
                .structure([
                    .uint64(7), .double(0.25), .string("warning"), .uint32(1), .boolean(false),
                    .string("a\tb  c\u{1B}[2J\u{202E}\u{9B}d"),
                ])))
        let text = LogScreen.text(line) { $0 == .warning ? "<\($1)>" : $1 }
        #expect(text.hasSuffix(".250 <warning > a    b  c[2Jd"))
        #expect(ClockTime.ofDay(.nan) == "--:--:--.---" && ClockTime.ofDay(86_399.9996).hasSuffix(":59.999"))
    }
}

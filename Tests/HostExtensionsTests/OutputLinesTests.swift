import HostInterface
import Testing

@testable import HostExtensions

@Suite struct OutputLinesTests {
    private func append(_ bytes: [UInt8], to lines: inout OutputLines) -> [String] {
        bytes.withUnsafeBytes { lines.append($0) }.map(\.text)
    }

    @Test func linesAcrossReads() {
        var lines = OutputLines()
        #expect(append(Array("one\ntw".utf8), to: &lines) == ["one"])
        #expect(append(Array("o\r\n\n".utf8), to: &lines) == ["two"])
        #expect(append(Array("rest".utf8), to: &lines) == [])
        #expect(append([], to: &lines) == [])
        #expect(lines.finish()?.text == "rest")
        #expect(lines.finish() == nil)
    }

    @Test func longLinesAreCut() {
        var lines = OutputLines()
        let line = append([UInt8](repeating: 0x61, count: 1 << 20) + [0x0A], to: &lines)
        #expect(line == [String(repeating: "a", count: OutputLines.longestLine) + "…"])
        #expect(append(Array("b\n".utf8), to: &lines) == ["b"])
    }

    @Test func terminalsAreLeftAlone() {
        var lines = OutputLines()
        #expect(append(Array("\u{1B}[31mred\ttab\n".utf8), to: &lines) == ["\u{FFFD}[31mred\ttab"])
        #expect(append([0xFF, 0x41, 0x0A], to: &lines) == ["\u{FFFD}A"])
    }

    @Test func whatIsPrivateStaysMarked() {
        var lines = OutputLines()
        let line = "code \(PrivateText.marked("4711"))"
        #expect(append(Array((line + "\n").utf8), to: &lines) == [line])
    }

    @Test func aBurstPassesThenATrickle() {
        let start = ContinuousClock.Instant.now
        var limit = LineRateLimit(burst: 3, perSecond: 2, now: start)
        #expect((0..<3).allSatisfy { _ in limit.admit(at: start).isAdmitted })
        #expect((0..<10).allSatisfy { _ in !limit.admit(at: start).isAdmitted })
        let later = limit.admit(at: start + .seconds(1))
        #expect(later.isAdmitted && later.suppressedBefore == 10)
        #expect(limit.admit(at: start + .seconds(1)) == (true, 0))
        #expect(!limit.admit(at: start + .seconds(1)).isAdmitted)
        #expect(!limit.admit(at: start - .seconds(5)).isAdmitted)
    }

    @Test(arguments: [
        ("Module/File.swift:12: Fatal error: Index out of range", "Fatal error: Index out of range"),
        ("thread 'main' panicked at src/main.rs:2", "panicked at src/main.rs:2"),
        (
            "terminate called after throwing an instance of 'int'",
            "terminate called after throwing an instance of 'int'"
        ),
        ("playing at 44100 Hz", nil),
    ])
    func lastWords(line: String, reason: String?) {
        #expect(CrashBanner.reason(in: line) == reason)
    }
}

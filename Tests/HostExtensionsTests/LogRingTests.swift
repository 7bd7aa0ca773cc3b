import Foundation
import HostCore
import Logging
import Testing

@testable import HostExtensions

@Suite struct LogRingTests {
    private func ring(_ count: Int, limits: LogRing.Limits) -> LogRing {
        var ring = LogRing(limits: limits)
        for number in 0..<count {
            ring.append(time: Double(number), level: "info", generation: 1, text: "line \(number + 1)")
        }
        return ring
    }

    @Test func theNewestAreKeptInOrder() {
        let ring = ring(10_000, limits: .init(lines: 100))
        #expect(ring.last(3).map(\.text) == ["line 9998", "line 9999", "line 10000"])
        #expect(ring.last(1_000_000).count == 100 && ring.last(0).isEmpty && ring.last(-1).isEmpty)
        #expect(ring.last(100).first?.sequence == 9901 && ring.lastSequence == 10_000)
    }

    @Test func theirSizeIsBoundedTooButTheNewestAlwaysStays() {
        var ring = LogRing(limits: .init(lines: 1000, bytes: 100))
        for _ in 0..<50 { ring.append(time: 0, level: "info", generation: 1, text: String(repeating: "ä", count: 10)) }
        #expect(ring.last(1000).count == 5)
        ring.append(time: 0, level: "info", generation: 1, text: String(repeating: "x", count: 4096))
        #expect(ring.last(1000).count == 1)
        ring.append(time: 0, level: "info", generation: 1, text: "short")
        #expect(ring.last(1000).map(\.text) == ["short"])
    }

    @Test func aFollowerGetsWhatItHasNotSeenAndHearsWhatItMissed() {
        let ring = ring(250, limits: .init(lines: 100))
        let first = ring.lines(after: 0, count: 60)
        #expect(first.skipped == 150 && first.lines.first?.sequence == 151 && first.lines.count == 60)
        let second = ring.lines(after: 210, count: 60)
        #expect(second.skipped == 0 && second.lines.map(\.sequence) == Array(211...250))
        #expect(ring.lines(after: 250, count: 60).lines.isEmpty)
        #expect(ring.lines(after: 9999, count: 60).lines.isEmpty)
        #expect(LogRing().lines(after: 0, count: 10).lines.isEmpty)
    }
}

@Suite struct OutputMessageTests {
    @Test(arguments: [
        ("2026-11-21T23:26:50+0000 warning org.mdhost.mpd: [MPD] no answer", Logger.Level.warning, "[MPD] no answer"),
        (
            "2026-11-21T23:26:50+0000 info org.mdhost.mpd: device=x [MPD] found: it", .info,
            "device=x [MPD] found: it"
        ),
        ("2026-11-21T23:26:50.123+0000 trace a: [b] ", .trace, "[b] "),
        ("<3>the disk is full", .error, "the disk is full"), ("<7>detail", .debug, "detail"),
        ("<9>what", .info, "<9>what"), ("plain words", .info, "plain words"), ("", .info, ""),
        ("2026-11-21T23:26:50+0000 loud a: [b] c", .info, "2026-11-21T23:26:50+0000 loud a: [b] c"),
        ("2026-11-21T23:26:50+0000 info", .info, "2026-11-21T23:26:50+0000 info"),
        ("2026-11-21 23:26:50 info a: b", .info, "2026-11-21 23:26:50 info a: b"),
        ("2026-11-21T23:26:50+0000 info not a label: b", .info, "2026-11-21T23:26:50+0000 info not a label: b"),
        ("Module/File.swift:1: Fatal error: nothing works", .error, "Module/File.swift:1: Fatal error: nothing works"),
    ])
    func levels(_ line: String, _ level: Logger.Level, _ text: String) {
        #expect(OutputMessage(line) == OutputMessage(level: level, text: text))
    }
}

@Suite(.timeLimit(.minutes(1))) struct ExtensionLogsTests {
    @Test func whoFollowsIsToldOfTheirOwnOnly() async {
        let logs = ExtensionLogs()
        var news = logs.news(of: "a").makeAsyncIterator()
        logs.append(.init(level: .info, text: "other"), to: "b", generation: 1)
        logs.append(.init(level: .info, text: "one"), to: "a", generation: 1)
        logs.append(.init(level: .error, text: "two"), to: "a", generation: 2)
        #expect(await news.next() != nil)
        #expect(logs.lines(after: 0, count: 10, of: "a").lines.map(\.text) == ["one", "two"])
        #expect(logs.last(1, of: "a").map(\.level) == ["error"] && logs.last(5, of: "c").isEmpty)
        logs.remove("a")
        #expect(await news.next() == nil)
        #expect(logs.last(5, of: "a").isEmpty && logs.last(5, of: "b").count == 1)
    }
}

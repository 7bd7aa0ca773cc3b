import DeviceConnections
import Foundation
import MPDProtocol
import ReferenceProtocol

@testable import ReferenceReceiver

extension FuzzTarget {
    /// A server's side of a conversation, in pieces of any size.
    static let mpd = FuzzTarget(
        name: "mpd",
        words: [
            "OK\n", "OK MPD 0.23.5\n", "list_OK\n", "ACK [5@0] {} ", "binary: 9\n", ": ", "\n", "volume: ", "elapsed: ",
            "state: play\n", "songid: 1\n", "duration: ",
        ],
        outcomes: ["open", "malformed", "notMPD"]
    ) { bytes in
        var random = SplitMix64(state: UInt64(bytes.count))
        var machine = MPDConnectionMachine()
        _ = machine.connected()
        var request: UInt64 = 0
        var open: Set<UInt64> = []
        var end = "open"
        func perform(_ actions: [MPDConnectionMachine.Action]) throws {
            for action in actions where end == "open" {
                switch action {
                case .complete(let id, let result):
                    try demand(open.remove(id) != nil, "completed twice or never asked")
                    if case .success(let reply) = result { try read(reply) }
                case .close(.malformed): end = machine.isReady ? "malformed" : "notMPD"
                case .close(.tooLarge): end = "tooLarge"
                case .close: end = "other"
                default: break
                }
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty, end == "open" {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            try perform(machine.received(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
            if machine.isReady, end == "open" {
                request += 1
                open.insert(request)
                let commands = [MPDCommand("status"), MPDCommand("currentsong")]
                try perform(machine.submit(request, Bool.random(using: &random) ? commands : [commands[0]]))
            }
        }
        return end
    }

    private static func read(_ reply: MPDReply) throws {
        for part in reply.parts {
            if let status = try? MPDStatus(part) {
                try demand((0...100).contains(status.volume ?? 0), "a volume of \(status.volume ?? 0)")
                try demand((status.elapsed ?? 0) >= 0 && (status.duration ?? 1) > 0, "a time below 0")
                var tracker = MPDSongTracker(songID: 1, address: "x")
                _ = tracker.observe(status)
            }
            _ = MPDSong(part)
            _ = MPDPermissions(part)
        }
    }

    private static let reference = [
        "{\"id\":1,\"command\":", "}\n", "{\"hello\":{\"version\":1,\"client\":\"c\"}}", "{\"pair\":{}}",
        "{\"resume\":{}}",
        "{\"seek\":{\"position\":1e308}}", "{\"setSpeed\":{\"speed\":4}}", "{\"scan\":{\"speed\":-32}}",
        "{\"play\":{\"id\":\"i\",\"media\":{\"url\":\"http://h/x\",\"duration\":3}}}", "null", "1e999", "\"\\u0000\"",
        "[", "]",
        "{\"launch\":{\"id\":\"i\",\"application\":\"org.mdhost.reference.echo\",\"url\":\"b:c\"}}",
        "{\"send\":{\"data\":\"AA==\"}}",
        "{\"changeVolume\":{\"steps\":9223372036854775807}}", "{\"setVolume\":{\"level\":-1}}", "{\"stop\":{}}",
    ]

    /// A client's side of the reference protocol, to a receiver that asks for nothing; a second passes with each line.
    static let referenceReceiver = FuzzTarget(
        name: "reference-receiver", words: reference, outcomes: ["refused", "answered", "played"]
    ) { bytes in
        var settings = ReceiverSettings(name: "Room", memoryFile: "")
        settings.authorization = bytes.count % 2 == 0 ? .none : .password
        settings.password = "sesame"
        var machine = ReceiverMachine(settings: settings, id: "x", tokens: ["t"])
        _ = machine.connected(1)
        var now = 0.0
        var outcome = "refused"
        var lines = ReferenceLines()
        guard let taken = try? lines.take(bytes) else { return outcome }
        for line in taken.prefix(200) {
            guard let request = try? ReferenceLines.decode(ReferenceRequest.self, from: line) else { continue }
            var effects = machine.received(request, from: 1, at: now)
            try demand(effects.contains { if case .send(1, .reply) = $0 { true } else { false } }, "no answer")
            for case .fetch(let number, _) in effects {
                effects += machine.fetched(number, MediaFacts(duration: 30), at: now)
            }
            now += 1
            if let due = machine.wakeTime, due <= now { effects += machine.woken(at: due) }
            for case .send(_, let message) in effects {
                outcome = machine.playback(at: now) == nil ? outcome == "refused" ? "answered" : outcome : "played"
                let line = ReferenceLines.encode(message).dropLast()
                let again = try? ReferenceLines.decode(ReferenceMessage.self, from: Array(line))
                try demand(again == message, "a line that says something else when it is read: \(message)")
            }
        }
        return outcome
    }

    /// A receiver's side of the reference protocol.
    static let referenceClient = FuzzTarget(
        name: "reference-client", words: reference + ["{\"to\":1,\"result\":", "{\"event\":", "{\"failure\":"],
        outcomes: ["refused", "messages"]
    ) { bytes in
        var lines = ReferenceLines()
        guard let taken = try? lines.take(bytes) else { return "refused" }
        var outcome = "refused"
        for line in taken.prefix(200) {
            guard let message = try? ReferenceLines.decode(ReferenceMessage.self, from: line) else { continue }
            outcome = "messages"
            let written = ReferenceLines.encode(message)
            let again = try? ReferenceLines.decode(ReferenceMessage.self, from: Array(written.dropLast()))
            try demand(again == message, "another message when read again: \(message)")
        }
        return outcome
    }

    /// The first bytes of media that a receiver fetches, or the description of a programme.
    static let referenceMedia = FuzzTarget(
        name: "reference-media", words: ["RIFF", "WAVE", "fmt ", "data", "ID3", "Xing", "Info", "{\"media\":\"x\""],
        outcomes: ["refused", "duration", "programme"]
    ) { bytes in
        if (try? JSONDecoder().decode(Programme.self, from: Data(bytes))) != nil { return "programme" }
        guard bytes.count >= 44 else { return "refused" }
        for length in [nil, bytes.count, 1 << 40] {
            guard let seconds = MediaProbe.duration(head: bytes, length: length) else { continue }
            try demand(seconds.isFinite && seconds >= 0, "a duration of \(seconds)")
            return "duration"
        }
        return "refused"
    }
}

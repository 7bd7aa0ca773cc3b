import MPDProtocol
import Testing

/// Mutates recorded conversations: nothing a server sends may crash the parser, the connection or the values read from it.
struct MPDFuzzTests {
    static let corpus: [[UInt8]] = [
        Array(MPDParserTests.conversation.utf8),
        Array(
            """
            OK MPD 0.23.5
            volume: 100
            repeat: 0
            random: 0
            single: 0
            consume: 0
            partition: default
            playlist: 5
            playlistlength: 1
            mixrampdb: 0
            state: play
            song: 0
            songid: 1
            time: 0:20
            elapsed: 0.456
            bitrate: 0
            duration: 20.000
            audio: 44100:16:1
            OK
            file: http://127.0.0.1:8899/long.flac
            Title: T1
            Pos: 0
            Id: 1
            OK
            changed: player
            changed: mixer
            OK
            ACK [5@0] {} unknown command "foo"

            """.utf8),
        Array("OK MPD 0.22.0\nsize: 8\ntype: image/png\nbinary: 4\n".utf8) + [137, 80, 78, 71] + Array("\nOK\n".utf8),
    ]

    @Test(arguments: [UInt64](1...8))
    func survivesMutatedConversations(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var outcomes: Set<String> = []
        for _ in 0..<2500 {
            var bytes = Self.corpus.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0..<6, using: &random) { Self.mutate(&bytes, &random) }
            outcomes.insert(Self.feed(bytes, &random))
        }
        // A fuzzer that only ever reaches one outcome tests nothing.
        #expect(outcomes.isSuperset(of: ["open", "malformed", "notMPD"]))
    }

    private static func feed(_ bytes: [UInt8], _ random: inout SplitMix64) -> String {
        var machine = MPDConnectionMachine()
        _ = machine.connected()
        var rest = bytes[...]
        var request: UInt64 = 0
        var open: Set<UInt64> = []
        var end = "open"
        func perform(_ actions: [MPDConnectionMachine.Action]) {
            for action in actions {
                switch action {
                case .complete(let id, let result):
                    #expect(open.remove(id) != nil, "completed twice or never asked")
                    if case .success(let reply) = result { read(reply) }
                case .close(.malformed): end = "malformed"
                case .close(.notMPD): end = "notMPD"
                case .close(.tooLarge): end = "tooLarge"
                case .close: end = "other"
                default: break
                }
            }
        }
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            perform(machine.received(rest.prefix(count)))
            rest = rest.dropFirst(count)
            if machine.isReady {
                request += 1
                open.insert(request)
                let commands = [MPDCommand("status"), MPDCommand("currentsong")]
                perform(machine.submit(request, Bool.random(using: &random) ? commands : [commands[0]]))
            }
        }
        let outcome = end
        perform(machine.disconnected("the end"))
        #expect(open.isEmpty, "a request without an answer")
        return outcome
    }

    private static func read(_ reply: MPDReply) {
        for part in reply.parts {
            if let status = try? MPDStatus(part) {
                #expect((0...100).contains(status.volume ?? 0))
                #expect((status.elapsed ?? 0) >= 0 && (status.duration ?? 1) > 0)
                var tracker = MPDSongTracker(songID: 1, address: "x")
                _ = tracker.observe(status)
            }
            _ = MPDSong(part)
            _ = MPDPermissions(part)
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
        case 3: bytes.removeSubrange(index...)
        case 4: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
        default:
            let words = [
                "OK\n", "list_OK\n", "ACK ", "binary: 9\n", ": ", "\n", "nan", "-1", "1e999", "99999999999999999999",
            ]
            bytes.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: index)
        }
    }
}

/// A small generator with a given beginning, so that a failure can be run again.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

import AirPlayProtocol
import Testing

/// Mutates recorded conversations and datagrams: no input from a receiver may crash its parser, or be answered twice.
struct AirPlayFuzzTests {
    @Test(arguments: [UInt64](1...8)) func survivesMutatedConversations(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var outcomes: Set<String> = []
        for _ in 0..<1500 {
            var bytes = Array(RTSPTests.conversation.utf8)
            for _ in 0...Int.random(in: 0..<6, using: &random) { Self.mutate(&bytes, &random) }
            outcomes.insert(Self.feed(bytes, &random))
        }
        #expect(outcomes.isSuperset(of: ["open", "malformed", "refused"]))
    }

    private static func feed(_ bytes: [UInt8], _ random: inout SplitMix64) -> String {
        var machine = RTSPConnectionMachine(password: "p", headers: [:], clientNonce: "c")
        var open: Set<UInt64> = [1, 2, 3, 4]
        var outcome = "open"
        func perform(_ actions: [RTSPConnectionMachine.Action]) {
            for action in actions {
                switch action {
                case .complete(let id, let result):
                    #expect(open.remove(id) != nil, "completed twice or never asked")
                    if case .success(let response) = result {
                        _ = response.headers["Transport"].map { try? StreamTransport(header: $0) }
                        _ = AirPlayVolume.level(parameter: String(decoding: response.body, as: UTF8.self))
                    } else if outcome == "open" {
                        outcome = "refused"
                    }
                case .close(.malformed): outcome = "malformed"
                case .close: outcome = "closed"
                case .send, .expectAnswer, .switched: break
                }
            }
        }
        for id in open.sorted() { perform(machine.submit(id, RTSPRequest("OPTIONS", "*"))) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            perform(machine.received(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let last = outcome
        perform(machine.disconnected("end"))
        #expect(open.isEmpty, "a request was never completed")
        return last
    }

    @Test(arguments: [UInt64](1...4)) func survivesMutatedDatagrams(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var stream = AudioStream(sequenceNumber: 65_000, timestamp: 1, source: 1, latency: 1)
        for _ in 0..<2000 { stream.enqueue([1, 2, 3]) }
        var listener = AudioListener()
        stream.start(at: StreamTime(nanoseconds: 0))
        _ = stream.due(at: StreamTime(nanoseconds: 0), ahead: 10)
        let corpus: [[UInt8]] = [
            [0x80, 0xD5, 0, 1, 0xFF, 0xFE, 0, 6], [0x80, 0xD2, 0, 7] + [UInt8](repeating: 9, count: 28),
        ]
        var answers = 0
        for _ in 0..<3000 {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0..<4, using: &random) { Self.mutate(&bytes, &random) }
            let time = StreamTime(nanoseconds: 1)
            let sent = listener.receivedControl(bytes, of: stream)
            #expect(sent.count <= ControlPacket.ResendRequest.limit)
            answers += sent.count + (listener.receivedTiming(bytes, at: time, now: time) == nil ? 0 : 1)
        }
        #expect(answers > 0)
    }

    @Test(arguments: [UInt64](1...4)) func survivesMutatedRecords(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var usable = 0
        for _ in 0..<2000 {
            var text = AirPlayDiscoveryTests.shairport
            for key in text.keys.sorted() where Bool.random(using: &random) {
                var bytes = Array((text[key] ?? "").utf8)
                Self.mutate(&bytes, &random)
                text[key] = String(decoding: bytes, as: UTF8.self)
            }
            var name = Array("AABBCCDDEEFF@Room".utf8)
            if Bool.random(using: &random) { Self.mutate(&name, &random) }
            guard let record = AirPlayRecord(.audio, instance: String(decoding: name, as: UTF8.self), text: text) else {
                continue
            }
            if AirPlayReceiverFacts([record])?.audioObstacle == nil { usable += 1 }
        }
        #expect(usable > 0)
    }

    static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
        }
    }
}

/// A repeatable source of randomness.
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

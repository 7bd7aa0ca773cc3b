import AirPlayProtocol
import Testing

struct AudioStreamTests {
    private static let rate = 44_100.0
    private static let packet = Double(LosslessFrame.frameCount) / rate

    private static func stream(latency: Double = 1, packets: Int = 0) -> AudioStream {
        var stream = AudioStream(sequenceNumber: 65_530, timestamp: 4_294_967_000, source: 7, latency: latency)
        for number in 0..<packets { stream.enqueue([UInt8(truncatingIfNeeded: number)]) }
        return stream
    }

    private static func time(_ seconds: Double) -> StreamTime { StreamTime(nanoseconds: 5_000_000_000) + seconds }

    private static func audio(_ actions: [AudioStream.Action]) -> [[UInt8]] {
        actions.compactMap { if case .sendAudio(let packet) = $0 { packet } else { nil } }
    }

    /// Without the silence at the beginning of a run.
    private static func media(_ actions: [AudioStream.Action]) -> [UInt8] {
        audio(actions).filter { $0.count == 13 }.map { $0[12] }
    }

    /// Returns the sync packets sent to a receiver.
    private static func syncs(
        _ actions: [AudioStream.Action], to listener: AudioListener = listener()
    ) -> [[UInt8]] {
        var listener = listener
        return actions.compactMap { if case .tellTime(let sync) = $0 { listener.sync(sync) } else { nil } }
    }

    private static func listener(delay: Int = 0, latency: Double = 1) -> AudioListener {
        var listener = AudioListener()
        listener.listen(delay: delay, latency: latency)
        return listener
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static let question: [UInt8] =
        [0x80, 0xD2, 0, 7] + [UInt8](repeating: 0, count: 20) + [1, 2, 3, 4, 5, 6, 7, 8]

    @Test func tellsTheTimeOfTheFirstFrame() {
        var stream = Self.stream(packets: 3)
        stream.start(at: Self.time(0))
        let actions = stream.due(at: Self.time(0))
        let sync = Self.syncs(actions)[0]
        #expect(sync.prefix(4) == [0x90, 0xD4, 0, 7])
        // The frame a second before the first is played now.
        #expect(Self.number(sync[4..<8]) == UInt64(UInt32(4_294_967_000) &- 44_100))
        #expect(Self.number(sync[8..<16]) == 5 << 32)
        #expect(Self.number(sync[16..<20]) == 4_294_967_000)
        let first = Self.audio(actions)[0]
        #expect(first.prefix(2) == [0x80, 0xE0])
        #expect(Self.number(first[2..<4]) == 65_530)
        #expect(Self.number(first[4..<8]) == 4_294_967_000)
        #expect(Self.audio(actions).count == 1)
    }

    @Test func sendsEachPacketAtItsTime() {
        var stream = Self.stream(packets: 500)
        stream.start(at: Self.time(0))
        var sent: [[UInt8]] = []
        var now = Self.time(0)
        for _ in 0..<400 {
            sent += Self.audio(stream.due(at: now))
            now = stream.nextWake ?? now
        }
        #expect(sent.count > 380)
        #expect(sent.prefix(16).allSatisfy { $0.dropFirst(12) == LosslessFrame.encode([])[...] })
        #expect(sent.dropFirst(16).enumerated().allSatisfy { Int($0.element[12]) == $0.offset % 256 })
        #expect(Self.number(sent[10][2..<4]) == 4)
        #expect(Self.number(sent[10][4..<8]) == UInt64(UInt32(4_294_967_000) &+ 3520))
        #expect(sent.dropFirst().allSatisfy { $0[1] == 0x60 })
        #expect(abs((now - Self.time(0)) - Double(sent.count) * Self.packet) < 2 * Self.packet)
        #expect(stream.quality.packetsSent == sent.count)
        #expect(stream.quality.isGood)
    }

    @Test func syncsEverySecondByTheClock() {
        var stream = Self.stream(packets: 1000)
        stream.start(at: Self.time(0))
        var listener = Self.listener()
        guard case .tellTime(let first)? = stream.due(at: Self.time(0)).first else {
            Issue.record("no time")
            return
        }
        let told = listener.sync(first)
        #expect(told?.first == 0x90)
        #expect(Self.syncs(stream.due(at: Self.time(0.5))).isEmpty)
        let sync = Self.syncs(stream.due(at: Self.time(1.25)), to: listener)[0]
        #expect(sync[0] == 0x80)
        #expect(Self.number(sync[16..<20]) == UInt64(UInt32(4_294_967_000) &+ 55_125))
    }

    @Test func answersTheQuestionForTheTime() throws {
        var listener = AudioListener()
        let noAnswer = listener.receivedTiming([1, 2, 3], at: Self.time(1), now: Self.time(1))
        #expect(noAnswer == nil)
        let given = listener.receivedTiming(Self.question, at: Self.time(1), now: Self.time(1.5))
        let answer = try #require(given)
        #expect(answer.count == 32)
        #expect(answer.prefix(8) == [0x80, 0xD3, 0, 7, 0, 0, 0, 0])
        #expect(answer[8..<16] == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(Self.number(answer[16..<24]) == 6 << 32)
        #expect(Self.number(answer[24..<32]) == 6 << 32 | 1 << 31)
    }

    @Test func aReceiverThatNeverAsksForTheTimeCannot() {
        var stream = Self.stream(packets: 1000)
        stream.start(at: Self.time(5))
        guard case .tellTime(let sync)? = stream.due(at: Self.time(5)).first else {
            Issue.record("no time")
            return
        }
        var listener = Self.listener()
        var told = [listener.isCutOff(at: Self.time(9))]
        _ = listener.sync(sync)
        told += [7.1, 7.2, 7.3].map { listener.isCutOff(at: Self.time($0)) }
        #expect(told == [false, false, true, false], "not before anything was sent to it, and once")
        var asked = Self.listener()
        _ = asked.sync(sync)
        _ = asked.receivedTiming(Self.question, at: Self.time(5.1), now: Self.time(5.1))
        let isCutOff = asked.isCutOff(at: Self.time(9))
        #expect(!isCutOff)
    }

    @Test func sendsLostPacketsAgain() {
        var stream = Self.stream(packets: 20)
        stream.start(at: Self.time(0))
        let sent = Self.audio(stream.due(at: Self.time(0.15)))
        #expect(sent.count == 19)
        // 65,534 and the five behind it, over the wrap.
        var listener = Self.listener()
        let again = listener.receivedControl([0x80, 0xD5, 0, 1, 0xFF, 0xFE, 0, 6], of: stream)
        #expect(again.map { Array($0.dropFirst(4)) } == Array(sent[4..<10]))
        #expect(again.allSatisfy { $0.prefix(2) == [0x80, 0xD6] })
        #expect(again.first?[2..<4] == [0xFF, 0xFE])
        let unknown = listener.receivedControl([0x80, 0xD5, 0, 1, 0x80, 0, 0, 2], of: stream)
        #expect(unknown.isEmpty)
        let quality = listener.quality(of: stream)
        #expect(quality.packetsLost == 8 && quality.packetsMissing == 2 && quality.packetsSent == 19)
        let both = StreamQuality([quality, Self.listener().quality(of: stream)])
        #expect(both?.packetsLost == 8 && both?.packetsSent == 19)
    }

    @Test func pausesWhereTheListenerIs() {
        var stream = Self.stream(packets: 500)
        stream.start(at: Self.time(0))
        var count = 0
        for tick in 0...200 { count += Self.audio(stream.due(at: Self.time(Double(tick) / 100))).count }
        #expect(count == 251)
        #expect(stream.mediaPosition(at: Self.time(0.5)) == 0)
        // Sixteen packets of silence come first.
        #expect(stream.mediaPosition(at: Self.time(1.5)) == 22_050 - 16 * 352)
        stream.pause(at: Self.time(2))
        #expect(stream.nextWake == nil)
        // 38,468 frames of the media have been played, which is within the 110th packet.
        #expect(stream.mediaPosition(at: Self.time(9)) == 109 * 352)
        let next = stream.nextPacket
        #expect(next.timestamp == UInt32(4_294_967_000) &+ 251 * 352)
        stream.start(at: Self.time(10))
        let first = Self.audio(stream.due(at: Self.time(10)))[0]
        #expect(first[1] == 0xE0)
        #expect(Self.number(first[4..<8]) == UInt64(next.timestamp))
        #expect(Self.media(stream.due(at: Self.time(10.2))).first == 109)
        _ = stream.due(at: Self.time(10.6), ahead: 1)
        #expect(stream.mediaPosition(at: Self.time(11.5)) == 109 * 352 + 22_050 - 16 * 352)
    }

    @Test func countsWhatTheReceiverAdds() {
        var stream = Self.stream(latency: 2, packets: 3)
        stream.start(at: Self.time(0))
        let sync = Self.syncs(stream.due(at: Self.time(0)), to: Self.listener(delay: 11_025, latency: 2))[0]
        #expect(Self.number(sync[4..<8]) == UInt64(UInt32(4_294_967_000) &- 77_175))
        #expect(stream.runIsHeardAt == Self.time(2) + 16 * Self.packet)
    }

    /// All receivers get the same packets; a late one starts with the first packet it gets.
    @Test func whoComesLaterHearsTheSame() {
        var stream = Self.stream(packets: 500)
        stream.start(at: Self.time(0))
        var first = Self.listener()
        var late = AudioListener()
        for tick in 0..<100 {
            for action in stream.due(at: Self.time(Double(tick) / 100)) {
                guard case .sendAudio(let packet) = action else { continue }
                _ = first.audio(packet)
                let early = late.audio(packet)
                #expect(early == nil)
            }
        }
        late.listen(delay: 0, latency: 1)
        var times: [[UInt8]] = []
        for tick in 100..<200 {
            for action in stream.due(at: Self.time(Double(tick) / 100)) {
                switch action {
                case .sendAudio(let packet):
                    let (one, other) = (first.audio(packet), late.audio(packet))
                    #expect(one?.dropFirst(2) == other?.dropFirst(2))
                case .tellTime(let sync): times.append(late.sync(sync) ?? [])
                default: break
                }
            }
        }
        #expect(times.map(\.first) == [0x90])
    }

    @Test func goesOnAfterPauseWithoutLoss() {
        var stream = Self.stream(latency: 0.5, packets: 200)
        stream.finishInput()
        stream.start(at: Self.time(0))
        var heard: [UInt8] = []
        var now = 0.0
        var played: [(StreamTime, UInt8)] = []
        func step(_ seconds: Double) {
            now += seconds
            for packet in Self.media(stream.due(at: Self.time(now))) { played.append((Self.time(now), packet)) }
        }
        while now < 0.8 { step(0.004) }
        stream.pause(at: Self.time(now))
        // The receiver keeps the audio it has played by then and drops the rest.
        heard = played.filter { Self.time(now) - $0.0 >= 0.5 }.map(\.1)
        played = []
        now += 3
        stream.start(at: Self.time(now))
        var isOver = false
        while !isOver, now < 20 {
            now += 0.004
            let actions = stream.due(at: Self.time(now))
            heard += Self.media(actions)
            isOver = actions.contains(.ended)
        }
        #expect(isOver)
        // A part of one packet may play twice.
        var expected = (0..<200).map(UInt8.init)
        if heard.count == 201, let double = zip(heard, heard.dropFirst()).first(where: { $0 == $1 })?.0 {
            expected.insert(double, at: Int(double))
        }
        #expect(heard == expected)
    }

    @Test func endsOnceTheLastIsHeard() {
        var stream = Self.stream(latency: 1, packets: 10)
        stream.finishInput()
        stream.start(at: Self.time(0))
        #expect(!stream.due(at: Self.time(0.3)).contains(.ended))
        #expect(!stream.due(at: Self.time(1.2)).contains(.ended))
        #expect(stream.due(at: Self.time(1.21)).contains(.ended))
        #expect(!stream.due(at: Self.time(1.3)).contains(.ended))
    }

    /// Latency makes the receiver miss the last packets when they are lost; reported positions exclude it.
    @Test func silenceFollowsTheLast() {
        var stream = Self.stream(latency: 1, packets: 3)
        stream.finishInput()
        stream.start(at: Self.time(0))
        let sent = Self.audio(stream.due(at: Self.time(0), ahead: 0.9))
        #expect(sent.count == 16 + 3 + 64)
        #expect(sent.suffix(64).allSatisfy { $0.dropFirst(12) == LosslessFrame.encode([])[...] })
        #expect(stream.mediaPosition(at: Self.time(3)) == 3 * 352)
        stream.pause(at: Self.time(1.15))
        #expect(stream.queuedPackets == 1, "the one that was not heard, and no silence")
    }

    @Test func catchesUpOrTellsThatItStalls() {
        var stream = Self.stream(latency: 1, packets: 1)
        stream.start(at: Self.time(0))
        #expect(Self.audio(stream.due(at: Self.time(0))).count == 1)
        #expect(!stream.due(at: Self.time(0.5)).contains(.stalled))
        for _ in 0..<100 { stream.enqueue([1]) }
        #expect(Self.audio(stream.due(at: Self.time(0.5))).count == 46)
        #expect(stream.quality.packetsLate == 50)
        var starved = Self.stream(latency: 1, packets: 1)
        starved.start(at: Self.time(0))
        _ = starved.due(at: Self.time(0))
        #expect(starved.due(at: Self.time(0.8)).contains(.stalled))
        #expect(starved.quality.stalls == 1)
        #expect(!starved.quality.isGood)
    }

    @Test func seeksToAnotherPlace() {
        var stream = Self.stream(packets: 100)
        stream.start(at: Self.time(0))
        _ = stream.due(at: Self.time(0.5))
        stream.pause(at: Self.time(0.5))
        stream.seek(toMediaFrame: 441_000)
        #expect(stream.queuedPackets == 0)
        stream.enqueue([9])
        stream.finishInput()
        stream.start(at: Self.time(1))
        #expect(Self.media(stream.due(at: Self.time(1.2))) == [9])
        #expect(stream.mediaPosition(at: Self.time(1.5)) == 441_000)
        let progress = stream.progress(at: Self.time(1.5), duration: 882_000)
        #expect(progress.end &- progress.start == 882_000)
        #expect(progress.current &- progress.start == 441_000)
    }

    @Test func aReceiverThatAddsMuchRaisesTheLatencyBeforeTheStart() {
        var stream = Self.stream(latency: 0.5)
        stream.makeRoom(for: 11_025, upTo: 2)
        #expect(stream.latency == 0.5)
        stream.makeRoom(for: 22_050, upTo: 2)
        #expect(stream.latency == 1 && stream.quality.latency == 1)
        stream.makeRoom(for: .max / 4, upTo: 2)
        #expect(stream.latency == 2)
        stream.makeRoom(for: -1, upTo: 2)
        #expect(stream.latency == 2)
        var running = Self.stream(latency: 0.5, packets: 10)
        running.start(at: Self.time(0))
        running.makeRoom(for: 44_100, upTo: 2)
        #expect(running.latency == 0.5)
    }

    @Test func aShortLatencyStallsLater() {
        var stream = Self.stream(latency: 0.5, packets: 1)
        stream.start(at: Self.time(0))
        _ = stream.due(at: Self.time(0.2))
        #expect(!stream.due(at: Self.time(0.3)).contains(.stalled))
        #expect(stream.due(at: Self.time(0.6)).contains(.stalled))
    }
}

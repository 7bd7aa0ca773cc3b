import Testing

@testable import CastStreaming

/// The sending and the receiving side of a stream of pictures together.
@Suite struct PictureStreamTests {
    private static let interval = 1.0 / 30
    private static let silent = FrameCipher()

    /// A key picture each second, ten times as long as the others.
    private func picture(_ number: Int) -> (content: [UInt8], isKey: Bool) {
        let isKey = number.isMultiple(of: 30)
        return ([UInt8](repeating: UInt8(number % 251), count: isKey ? 80_000 : 8_000), isKey)
    }

    @Test(arguments: [0.0, 0.02, 0.1])
    func everyPictureIsShownInTime(_ loss: Double) {
        var network = LossyNetwork(.pictures, loss: loss)
        for number in 0..<150 {
            let (content, isKey) = picture(number)
            network.send(content, isKey: isKey)
            network.run(for: Self.interval)
        }
        network.run(for: 1)
        #expect(network.lost == 0 && network.played.map(\.content) == (0..<150).map { picture($0).content })
        #expect(network.keyFrameRequests == 0 && network.sender.inFlight == 0)
        let times = network.played.map(\.due)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - Self.interval) < 0.001 })
    }

    /// Packets leave in short bursts, with nothing lost and nothing sent twice.
    @Test func aLongPictureIsSpreadOverTime() {
        var sender = StreamSender(.pictures, source: 1, receiver: 2, cipher: Self.silent, now: 0, epoch: 0)
        let first = sender.send([UInt8](repeating: 1, count: 100_000), from: 0, at: 0)
        #expect(first.allSatisfy { $0.count <= RTPPacket.longest } && first.contains { $0.count == RTPPacket.longest })
        var sent = [first.count - 1]
        // Asked for meanwhile, what is due anyway isn't sent twice.
        let lost = StreamFeedback(
            receiver: 2, source: 1, checkpoint: 0xFF, losses: [.init(frame: 0, packet: StreamFeedback.Loss.all)],
            delay: 400)
        var now = 0.0
        while sent.reduce(0, +) < 70 {
            #expect(sender.nextWake <= now + 0.0101)
            now = sender.nextWake
            sent.append(sender.tick(at: now).count)
        }
        #expect(sent == [20, 20, 20, 10] && now < 0.031)
        _ = sender.received(ControlPacket.feedback(lost).encoded, at: now + 0.005)
        #expect(sender.counts.requested == 60, "the last 10 have just left")
    }

    @Test func picturesSayOnWhichOneTheyAreBased() throws {
        var sender = StreamSender(.pictures, source: 1, receiver: 2, cipher: Self.silent, now: 0, epoch: 0)
        let key = try #require(sender.send([1], isKey: true, from: 0, at: 0).last)
        let next = try #require(sender.send([2], isKey: false, from: 0.03, at: 0.03).last)
        let (first, second) = (try RTPPacket(key), try RTPPacket(next))
        #expect(first.isKey && first.reference == 0 && first.payloadType == 96)
        #expect(!second.isKey && second.reference == 0 && second.frame == 1)
        #expect(second.timestamp &- first.timestamp == 2700)
    }

    /// Pictures after one that wasn't sent can't be decoded, because they are based on it.
    @Test func aReceiverThatAcknowledgesNothingNeedsAKeyFrame() {
        var sender = StreamSender(.pictures, source: 1, receiver: 2, cipher: Self.silent, now: 0, epoch: 0)
        for number in 0...AudioFormat.window {
            let now = Double(number) * Self.interval
            _ = sender.send([1], isKey: number == 0, from: now, at: now)
        }
        let isAsked = (sender.takeKeyFrameRequest(), sender.takeKeyFrameRequest())
        #expect(sender.inFlight == AudioFormat.window && isAsked == (true, false))
        #expect(abs(sender.backlog - 119 * Self.interval) < 0.001)
        let all = StreamFeedback(receiver: 2, source: 1, checkpoint: 119, delay: 400)
        _ = sender.received(ControlPacket.feedback(all).encoded, at: 4)
        _ = sender.send([1], isKey: false, from: 4, at: 4)
        let isAskedAgain = sender.takeKeyFrameRequest()
        #expect(sender.inFlight == 0 && isAskedAgain)
        _ = sender.send([1], isKey: true, from: 4.1, at: 4.1)
        _ = sender.send([1], isKey: false, from: 4.2, at: 4.2)
        let isAskedForMore = sender.takeKeyFrameRequest()
        #expect(sender.inFlight == 2 && !isAskedForMore && sender.counts.dropped == 2)
    }

    /// After an interruption, the receiver shows nothing that it can't decode.
    @Test func aLossIsOverWithTheNextKeyFrame() {
        var network = LossyNetwork(.pictures, loss: 0)
        for number in 0..<90 {
            network.loss = 35..<50 ~= number ? 1 : 0
            let (content, _) = picture(number)
            network.send(content, isKey: number == 0 || number == 80)
            network.run(for: Self.interval)
        }
        network.run(for: 1)
        let shown = network.played.map { $0.content[0] }
        let missing = (0..<90).filter { !shown.contains(UInt8($0)) }
        #expect(missing.allSatisfy { 35..<80 ~= $0 } && network.lost == missing.count)
        #expect(shown == (0..<90).filter { !missing.contains($0) }.map { UInt8($0) })
        #expect(missing.isEmpty || network.keyFrameRequests > 0)
    }

    @Test func aReportOfAnotherStreamAsksForNothing() {
        var sender = StreamSender(.pictures, source: 1, receiver: 2, cipher: Self.silent, now: 0, epoch: 0)
        for (receiver, source) in [(3, 1), (2, 4)] as [(UInt32, UInt32)] {
            _ = sender.received(ControlPacket.pictureLoss(receiver: receiver, source: source).encoded, at: 0)
        }
        let isAskedByOthers = sender.takeKeyFrameRequest()
        _ = sender.received(ControlPacket.pictureLoss(receiver: 2, source: 1).encoded, at: 0)
        let isAsked = sender.takeKeyFrameRequest()
        #expect(!isAskedByOthers && isAsked)
    }
}

@Suite struct SoundFramesTests {
    private let length = AudioFormat.length

    @Test func framesHaveTheTimeOfTheirFirstSample() {
        var frames = SoundFrames()
        var result: [(samples: [Int16], time: Double)] = []
        // Blocks of 10.7 ms, as sound servers give them, with times that vary a little.
        for block in 0..<100 {
            let time = 50 + Double(block * 512) / 48_000 + (block.isMultiple(of: 2) ? 0.001 : -0.001)
            result += frames.add([Int16](repeating: Int16(block), count: 1024), from: time)
        }
        #expect(result.count == 100 * 512 / length && result.allSatisfy { $0.samples.count == length * 2 })
        for (index, frame) in result.enumerated() {
            #expect(abs(frame.time - 50.001 - Double(index) * AudioFormat.duration) < 1e-6)
        }
        #expect(result[1].samples[0] == 1 && result[1].samples[(1024 - length) * 2] == 2)
    }

    @Test func aGapIsNoDelay() {
        var frames = SoundFrames()
        let first = frames.add([Int16](repeating: 1, count: 1200), from: 10)
        let result = frames.add([Int16](repeating: 2, count: length * 2), from: 11)
        #expect(first.isEmpty && result.map(\.time) == [10, 11])
        #expect(
            result[0].samples == [Int16](repeating: 1, count: 1200) + [Int16](repeating: 0, count: length * 2 - 1200))
        #expect(result[1].samples == [Int16](repeating: 2, count: length * 2))
        // A clock that is set back, and nothing pending.
        let last = frames.add([Int16](repeating: 3, count: length * 2), from: 5)
        #expect(last.map(\.time) == [5])
    }
}

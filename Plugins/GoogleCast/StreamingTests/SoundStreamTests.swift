import JSONValues
import Opus
import Testing

@testable import CastStreaming

/// The sending and the receiving side of a stream together.
@Suite struct SoundStreamTests {
    /// 400 ms after each sample, plus the way through the network, which no receiver knows.
    @Test(arguments: [0.0, 0.02, 0.2])
    func everyFrameIsPlayedInTime(_ loss: Double) {
        // The last one as well, whose loss no later one shows.
        var network = LossyNetwork(loss: loss)
        let frames = (0..<500).map { [UInt8](repeating: UInt8($0 % 251), count: 100 + $0) }
        var times: [Double] = []
        for frame in frames {
            times.append(network.now)
            network.send(frame)
            network.run(for: AudioFormat.duration)
        }
        network.run(for: 1)
        #expect(network.lost == 0 && network.played.map(\.content) == frames)
        let delays = zip(network.played, times).map { $0.due - $1 }
        // The simulated network goes on by a millisecond at a time.
        #expect(delays.allSatisfy { abs($0 - 0.4035) < 0.001 }, "\(delays.min() ?? 0)...\(delays.max() ?? 0)")
        #expect(loss > 0 ? network.sender.counts.resent > 0 : network.sender.counts.resent == 0)
        #expect(network.sender.inFlight == 0 && network.most < (loss > 0.1 ? 30 : 12), "\(network.most)")
    }

    /// A sweep from 100 Hz to 10 kHz, decoded as what the encoder gave for it.
    @Test func aChirpIsDecodedAsIfNothingWereLost() throws {
        let encoder = try OpusEncoder(bitrate: AudioFormat.bitrate)
        let (expected, received) = (try OpusDecoder(), try OpusDecoder())
        var network = LossyNetwork(loss: 0.02)
        var samples: [Int16] = []
        var phase = 0.0
        for index in 0..<100 * AudioFormat.length {
            phase += 2 * .pi * (100 + 9900 * Double(index) / 96_000) / 48_000
            let value = Int16(20_000 * sine(phase))
            samples += [value, value]
        }
        var reference: [Int16] = []
        for start in stride(from: 0, to: samples.count, by: AudioFormat.length * 2) {
            let packet = try encoder.encode(Array(samples[start..<start + AudioFormat.length * 2]))
            reference += try expected.decode(packet)
            network.send(packet)
            network.run(for: AudioFormat.duration)
        }
        network.run(for: 1)
        #expect(try network.played.flatMap { try received.decode($0.content) } == reference)
    }

    private func sine(_ phase: Double) -> Double {
        let angle = phase.remainder(dividingBy: 2 * .pi)
        return (0..<12).reduce((angle, angle)) { state, index in
            let term = -state.0 * angle * angle / Double((2 * index + 2) * (2 * index + 3))
            return (term, state.1 + term)
        }.1
    }

    /// A receiver that acknowledges nothing gets 120 frames, and is given up after 15 s.
    @Test func aSilentReceiverIsGivenUp() {
        var sender = StreamSender(source: 1, receiver: 2, cipher: FrameCipher(), now: 0, epoch: 0)
        for frame in 0..<749 {
            let now = Double(frame) * AudioFormat.duration
            _ = sender.send([1], from: now, at: now)
            #expect(!sender.isAbandoned(at: now))
        }
        #expect(sender.inFlight == AudioFormat.window && sender.counts.dropped == 749 - AudioFormat.window)
        #expect(sender.isAbandoned(at: 15))
    }

    @Test func aSilentSenderIsGivenUp() {
        let receiver = StreamReceiver(source: 1, receiver: 2, cipher: FrameCipher(), now: 5)
        #expect(!receiver.isAbandoned(at: 19.9) && receiver.isAbandoned(at: 20))
    }

    @Test func whatNeverArrivesIsLeftOut() {
        let cipher = FrameCipher()
        var sender = StreamSender(source: 1, receiver: 2, cipher: cipher, now: 0, epoch: 0)
        var receiver = StreamReceiver(source: 1, receiver: 2, cipher: cipher, now: 0)
        var outputs: [StreamReceiver.Output] = []
        for frame in 0..<40 {
            let now = Double(frame) * AudioFormat.duration
            let datagrams = sender.send([UInt8(frame)], from: now, at: now)
            if frame != 3 { for datagram in datagrams { outputs += receiver.received(datagram, at: now) } }
        }
        #expect(outputs.contains(.lost(frame: 3)))
        let played = outputs.compactMap { if case .play(let frame, _, _, _, _) = $0 { frame } else { nil } }
        #expect(played == [0, 1, 2] + Array(4..<played.count + 1) && played.count > 10)
    }

    /// A sender takes it as the proof that its own has arrived.
    @Test func aReceiverReportsOnASenderThatHasReported() throws {
        var sender = StreamSender(source: 1, receiver: 2, cipher: FrameCipher(), now: 0, epoch: 0)
        var receiver = StreamReceiver(source: 1, receiver: 2, cipher: FrameCipher(), now: 0)
        func blocks(_ outputs: [StreamReceiver.Output]) throws -> [ReportBlock] {
            var blocks: [ReportBlock] = []
            for case .send(let bytes) in outputs {
                for case .receiverReport(2, let found) in try ControlPacket.all(in: bytes) { blocks += found }
            }
            return blocks
        }
        let early = receiver.tick(at: 1)
        #expect(!early.isEmpty)
        #expect(try blocks(early).isEmpty)
        for datagram in sender.send([1], from: 1, at: 1) { _ = receiver.received(datagram, at: 1) }
        let report = try #require(try blocks(receiver.tick(at: 2)).first)
        #expect(report.source == 1 && report.lastReport == NetworkTime(seconds: 1).middle && report.delay == 65_536)
    }

    /// Asked for the same packet again and again, it is sent once in a while.
    @Test func aPacketIsNotSentTooOften() {
        var sender = StreamSender(source: 1, receiver: 2, cipher: FrameCipher(), now: 0, epoch: 0)
        _ = sender.send([UInt8](repeating: 1, count: 4000), from: 0, at: 0)
        let lost = StreamFeedback(
            receiver: 2, source: 1, checkpoint: 0xFF, losses: [.init(frame: 0, packet: 0, following: 1)], delay: 400)
        let feedback = ControlPacket.feedback(lost).encoded
        #expect(sender.received(feedback, at: 0.02).count == 2 && sender.received(feedback, at: 0.02).isEmpty)
        #expect(sender.received(feedback, at: 0.04).count == 2 && sender.counts.resent == 4)
        // Of another stream.
        let strange = StreamFeedback(receiver: 3, source: 1, checkpoint: 0, delay: 400)
        #expect(sender.received(ControlPacket.feedback(strange).encoded, at: 0.05).isEmpty && sender.inFlight == 1)
        let done = StreamFeedback(receiver: 2, source: 1, checkpoint: 0, delay: 400)
        _ = sender.received(ControlPacket.feedback(done).encoded, at: 0.06)
        #expect(sender.inFlight == 0)
    }
}

/// The sending side of a stream as a state machine: frames become packets, which are kept until the receiver has them.
///
/// All times are seconds of one clock, for example `CLOCK_MONOTONIC`.
public struct AudioStreamSender: Sendable {
    /// The longest content of a packet.
    static let payloadLength = RTPPacket.longest - RTPPacket.shortest
    /// The shortest time between two copies of a packet, unless the round trip takes longer.
    private static let resendPause = 0.01
    /// The time after which the last packet is sent again, unless the round trip takes longer.
    private static let reminderPause = 0.1

    private struct SentFrame {
        let number: Int
        var packets: [RTPPacket]
        /// The time at which each packet was sent last.
        var times: [Double]
    }

    /// The counts of one stream.
    public struct Counts: Sendable, Hashable {
        public var packets = 0
        public var resent = 0
        public var bytes = 0
        /// The frames that weren't sent, because the receiver acknowledged none for too long.
        public var dropped = 0
        /// Datagrams that weren't read.
        public var unreadable = 0
    }

    private let source: UInt32
    private let receiver: UInt32
    private let payloadType: UInt8
    private let cipher: FrameCipher
    /// The time of the first timestamp, and the time of the network at time 0.
    private let origin: Double
    private let epoch: Double
    private let firstTimestamp: UInt32
    private var sequenceNumber: UInt16
    private var nextFrame = 0
    private var checkpoint = -1
    /// Without those that the receiver has, in order.
    private var frames: [SentFrame] = []
    private var lastReport: Double?
    private var heard: Double
    private var latestReference: UInt64 = 0
    private var roundTrip = 0.0
    public private(set) var counts = Counts()

    /// - Parameters:
    ///   - source: The number of the stream in the offer.
    ///   - receiver: The number of the stream in the answer.
    ///   - now: The time of the first sample.
    ///   - epoch: The seconds since 1900 at the time 0.
    public init(
        source: UInt32, receiver: UInt32, payloadType: UInt8 = AudioFormat.payloadType, cipher: FrameCipher,
        now: Double, epoch: Double, firstTimestamp: UInt32 = .random(in: .min ... .max),
        sequenceNumber: UInt16 = .random(in: .min ... .max)
    ) {
        self.source = source
        self.receiver = receiver
        self.payloadType = payloadType
        self.cipher = cipher
        origin = now
        self.epoch = epoch
        self.firstTimestamp = firstTimestamp
        self.sequenceNumber = sequenceNumber
        heard = now
    }

    /// The number of frames that the receiver hasn't acknowledged.
    public var inFlight: Int { frames.count }

    /// Returns a Boolean value that indicates whether the receiver has been silent for too long.
    public func isAbandoned(at now: Double) -> Bool { now - heard >= AudioFormat.patience }

    /// The time of the next call of ``tick(at:)``.
    public var nextWake: Double {
        min(lastReport.map { $0 + AudioFormat.reportInterval } ?? origin, reminderTime ?? .infinity)
    }

    /// The time at which the last packet is sent again: nothing behind it tells the receiver that it is missing.
    private var reminderTime: Double? {
        frames.last?.times.last.map { $0 + max(Self.reminderPause, 2 * roundTrip) }
    }

    /// Sends a frame.
    ///
    /// - Parameter time: The time of its first sample.
    /// - Returns: The datagrams to send.
    public mutating func send(_ frame: [UInt8], from time: Double, at now: Double) -> [[UInt8]] {
        let reports = tick(at: now)
        guard frames.count < AudioFormat.window, !frame.isEmpty else {
            counts.dropped += 1
            return reports
        }
        let content = cipher.apply(to: frame, number: nextFrame)
        let starts = Array(stride(from: 0, to: content.count, by: Self.payloadLength))
        let packets = starts.enumerated().map { index, start in
            RTPPacket(
                payloadType: payloadType, sequenceNumber: 0, timestamp: timestamp(at: time), source: source,
                frame: UInt8(truncatingIfNeeded: nextFrame), packet: UInt16(index),
                lastPacket: UInt16(starts.count - 1),
                payload: Array(content[start..<min(start + Self.payloadLength, content.count)]))
        }
        frames.append(
            SentFrame(number: nextFrame, packets: packets, times: packets.map { _ in -.infinity }))
        nextFrame += 1
        return reports + packets.indices.compactMap { transmit(frames.count - 1, $0, at: now) }
    }

    /// Returns the reports that are due, and the last packet if it isn't acknowledged.
    public mutating func tick(at now: Double) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        if let reminderTime, now >= reminderTime, let packet = frames.last?.packets.indices.last {
            counts.resent += 1
            datagrams.append(transmit(frames.count - 1, packet, at: now))
        }
        guard now >= lastReport.map({ $0 + AudioFormat.reportInterval }) ?? origin else { return datagrams }
        lastReport = now
        let report = SenderReport(
            source: source, time: NetworkTime(seconds: epoch + now), timestamp: timestamp(at: now),
            packets: UInt32(truncatingIfNeeded: counts.packets), bytes: UInt32(truncatingIfNeeded: counts.bytes))
        return [report.encoded] + datagrams
    }

    /// Processes a datagram of the receiver.
    ///
    /// - Returns: The datagrams to send again.
    public mutating func received(_ datagram: [UInt8], at now: Double) -> [[UInt8]] {
        let packets: [ControlPacket]
        do throws(StreamingError) { packets = try ControlPacket.all(in: datagram) } catch {
            counts.unreadable += 1
            return []
        }
        for case .referenceTime(receiver, let time) in packets {
            // Feedback that the network delivers late would undo newer feedback.
            guard time.bits >= latestReference else { return [] }
            latestReference = time.bits
        }
        var datagrams: [[UInt8]] = []
        for packet in packets {
            switch packet {
            case .receiverReport(receiver, let blocks):
                heard = now
                for block in blocks where block.source == source && block.lastReport != 0 { measure(block, at: now) }
            case .feedback(let feedback) where feedback.receiver == receiver && feedback.source == source:
                heard = now
                datagrams += follow(feedback, at: now)
            case .receiverReport, .feedback, .senderReport, .referenceTime, .other: break
            }
        }
        return datagrams
    }

    private mutating func follow(_ feedback: StreamFeedback, at now: Double) -> [[UInt8]] {
        let confirmed = FrameNumbers.notAfter(nextFrame - 1, feedback.checkpoint)
        guard confirmed >= checkpoint else { return [] }
        checkpoint = confirmed
        let complete = Set(feedback.complete.map { confirmed + $0 })
        frames.removeAll { $0.number <= confirmed || complete.contains($0.number) }
        return feedback.losses.flatMap { loss -> [[UInt8]] in
            let number = FrameNumbers.after(confirmed, loss.frame)
            guard let index = frames.firstIndex(where: { $0.number == number }) else { return [] }
            let known = frames[index].packets.indices
            let missing = loss.packet == StreamFeedback.Loss.all ? Array(known) : loss.packets.map { Int($0) }
            return missing.compactMap { packet in
                guard known.contains(packet), now - frames[index].times[packet] >= max(Self.resendPause, roundTrip)
                else { return nil }
                counts.resent += 1
                return transmit(index, packet, at: now)
            }
        }
    }

    private mutating func measure(_ block: ReportBlock, at now: Double) {
        let elapsed = NetworkTime(seconds: epoch + now).middle &- block.lastReport &- block.delay
        // A receiver with another idea of the time isn't believed.
        if elapsed < 1 << 16 { roundTrip = Double(elapsed) / 65_536 }
    }

    /// A packet gets a new number each time, as every datagram has its own.
    private mutating func transmit(_ index: Int, _ packet: Int, at now: Double) -> [UInt8] {
        frames[index].packets[packet].sequenceNumber = sequenceNumber
        frames[index].times[packet] = now
        sequenceNumber &+= 1
        counts.packets += 1
        counts.bytes += frames[index].packets[packet].payload.count
        return frames[index].packets[packet].encoded
    }

    private func timestamp(at time: Double) -> UInt32 {
        firstTimestamp &+ UInt32(truncatingIfNeeded: Int(((time - origin) * Double(AudioFormat.rate)).rounded()))
    }
}

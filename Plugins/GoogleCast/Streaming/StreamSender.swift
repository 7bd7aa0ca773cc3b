/// The sending side of a stream as a state machine: frames become packets, which are kept until the receiver has them.
///
/// All times are seconds of one clock, for example `CLOCK_MONOTONIC`.
public struct StreamSender: Sendable {
    /// The longest content of a packet, with a reference.
    static let payloadLength = RTPPacket.longest - RTPPacket.shortest - 1
    /// The shortest time between two copies of a packet, unless the round trip takes longer.
    private static let resendPause = 0.01
    /// The time after which the last packet is sent again, unless the round trip takes longer.
    private static let reminderPause = 0.1
    /// The packets that are sent at once, and the time until the next: a wireless network loses the end of longer bursts.
    private static let burst = (length: 20, pause: 0.01)

    private struct SentFrame {
        let number: Int
        /// The time of the sample or picture.
        let time: Double
        var packets: [RTPPacket]
        /// The time at which each packet was sent last; infinite for one that is due.
        var times: [Double]
    }

    /// A packet that is due.
    private struct Due {
        let frame: Int
        let packet: Int
    }

    /// The counts of one stream.
    public struct Counts: Sendable, Hashable {
        public var packets = 0
        public var resent = 0
        /// The packets that the receiver asked for again.
        public var requested = 0
        public var bytes = 0
        /// The frames that weren't sent, because the receiver acknowledged none for too long, or because they are based on
        /// such a frame.
        public var dropped = 0
        /// Datagrams that weren't read.
        public var unreadable = 0
    }

    private let source: UInt32
    private let receiver: UInt32
    private let format: StreamFormat
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
    /// The packets that are sent next, in this order.
    private var due: [Due] = []
    /// The last burst, and its packets so far.
    private var burst = (begin: -Double.infinity, count: 0)
    /// A Boolean value that indicates whether frames are of no use before the next key frame.
    private var isBroken = false
    private var isKeyFrameAsked = false
    private var lastReport: Double?
    private var heard: Double
    private var latestReference: UInt64 = 0
    private var roundTrip = 0.0
    public private(set) var counts = Counts()

    /// - Parameters:
    ///   - source: The number of the stream in the offer.
    ///   - receiver: The number of the stream in the answer.
    ///   - now: The time of the first timestamp. Frames may be of earlier times.
    ///   - epoch: The seconds since 1900 at the time 0.
    public init(
        _ format: StreamFormat = .sound, source: UInt32, receiver: UInt32, cipher: FrameCipher,
        now: Double, epoch: Double, firstTimestamp: UInt32 = .random(in: .min ... .max),
        sequenceNumber: UInt16 = .random(in: .min ... .max)
    ) {
        self.source = source
        self.receiver = receiver
        self.format = format
        self.cipher = cipher
        origin = now
        self.epoch = epoch
        self.firstTimestamp = firstTimestamp
        self.sequenceNumber = sequenceNumber
        heard = now
    }

    /// The number of frames that the receiver hasn't acknowledged.
    public var inFlight: Int { frames.count }

    /// The time between the oldest frame that the receiver hasn't acknowledged and the latest, in seconds.
    public var backlog: Double {
        guard let first = frames.first, let last = frames.last else { return 0 }
        return last.time - first.time
    }

    /// Returns whether a key frame has become necessary since the last call.
    public mutating func takeKeyFrameRequest() -> Bool {
        defer { isKeyFrameAsked = false }
        return isKeyFrameAsked
    }

    /// Returns a Boolean value that indicates whether the receiver has been silent for too long.
    public func isAbandoned(at now: Double) -> Bool { now - heard >= AudioFormat.patience }

    /// The time of the next call of ``tick(at:)``.
    public var nextWake: Double {
        let report = lastReport.map { $0 + AudioFormat.reportInterval } ?? origin
        return min(report, due.isEmpty ? .infinity : burst.begin + Self.burst.pause, reminderTime ?? .infinity)
    }

    /// The time at which the last packet is sent again: nothing behind it tells the receiver that it is missing.
    private var reminderTime: Double? {
        frames.last?.times.last.map { $0 + max(Self.reminderPause, 2 * roundTrip) }
    }

    /// Sends a frame.
    ///
    /// - Parameters:
    ///   - isKey: A Boolean value that indicates whether it can be decoded without earlier frames; otherwise it is based on
    ///     the one before it.
    ///   - time: The time of its first sample, or of the picture.
    /// - Returns: The datagrams to send now. ``tick(at:)`` returns the others.
    public mutating func send(_ frame: [UInt8], isKey: Bool = true, from time: Double, at now: Double) -> [[UInt8]] {
        if isKey { isBroken = false }
        guard frames.count < AudioFormat.window, !frame.isEmpty, !isBroken else {
            counts.dropped += 1
            isBroken = !format.hasOnlyKeyFrames
            isKeyFrameAsked = isBroken
            return tick(at: now)
        }
        let content = cipher.apply(to: frame, number: nextFrame)
        let starts = Array(stride(from: 0, to: content.count, by: Self.payloadLength))
        let packets = starts.enumerated().map { index, start in
            var packet = RTPPacket(
                payloadType: format.payloadType, sequenceNumber: 0, timestamp: timestamp(at: time), source: source,
                isKey: isKey, frame: UInt8(truncatingIfNeeded: nextFrame), packet: UInt16(index),
                lastPacket: UInt16(starts.count - 1),
                payload: Array(content[start..<min(start + Self.payloadLength, content.count)]))
            if !format.hasOnlyKeyFrames { packet.reference = packet.frame &- (isKey ? 0 : 1) }
            return packet
        }
        frames.append(
            SentFrame(number: nextFrame, time: time, packets: packets, times: packets.map { _ in .infinity }))
        due += packets.indices.map { Due(frame: nextFrame, packet: $0) }
        nextFrame += 1
        return tick(at: now)
    }

    /// Returns what is due: packets, reports, and the last packet if it isn't acknowledged.
    public mutating func tick(at now: Double) -> [[UInt8]] {
        if let reminderTime, now >= reminderTime, let frame = frames.last, let packet = frame.packets.indices.last {
            counts.resent += 1
            frames[frames.count - 1].times[packet] = .infinity
            due.append(Due(frame: frame.number, packet: packet))
        }
        guard now >= lastReport.map({ $0 + AudioFormat.reportInterval }) ?? origin else { return transmit(at: now) }
        lastReport = now
        let report = SenderReport(
            source: source, time: NetworkTime(seconds: epoch + now), timestamp: timestamp(at: now),
            packets: UInt32(truncatingIfNeeded: counts.packets), bytes: UInt32(truncatingIfNeeded: counts.bytes))
        return [report.encoded] + transmit(at: now)
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
        for packet in packets {
            switch packet {
            case .receiverReport(receiver, let blocks):
                heard = now
                for block in blocks where block.source == source && block.lastReport != 0 { measure(block, at: now) }
            case .feedback(let feedback) where feedback.receiver == receiver && feedback.source == source:
                heard = now
                follow(feedback, at: now)
            case .pictureLoss(receiver, source):
                heard = now
                isKeyFrameAsked = true
            case .receiverReport, .feedback, .pictureLoss, .senderReport, .referenceTime, .other: break
            }
        }
        return transmit(at: now)
    }

    private mutating func follow(_ feedback: StreamFeedback, at now: Double) {
        let confirmed = FrameNumbers.notAfter(nextFrame - 1, feedback.checkpoint)
        guard confirmed >= checkpoint else { return }
        checkpoint = confirmed
        let complete = Set(feedback.complete.map { confirmed + $0 })
        frames.removeAll { $0.number <= confirmed || complete.contains($0.number) }
        var lost: [Due] = []
        for loss in feedback.losses {
            let number = FrameNumbers.after(confirmed, loss.frame)
            guard let index = frames.firstIndex(where: { $0.number == number }) else { continue }
            let known = frames[index].packets.indices
            let missing = loss.packet == StreamFeedback.Loss.all ? Array(known) : loss.packets.map { Int($0) }
            // One that is due is sent anyway.
            for packet in missing
            where known.contains(packet) && now - frames[index].times[packet] >= max(Self.resendPause, roundTrip) {
                counts.resent += 1
                counts.requested += 1
                frames[index].times[packet] = .infinity
                lost.append(Due(frame: number, packet: packet))
            }
        }
        // The receiver waits for these.
        due = lost + due
    }

    private mutating func measure(_ block: ReportBlock, at now: Double) {
        let elapsed = NetworkTime(seconds: epoch + now).middle &- block.lastReport &- block.delay
        // A receiver with another idea of the time isn't believed.
        if elapsed < 1 << 16 { roundTrip = Double(elapsed) / 65_536 }
    }

    private mutating func transmit(at now: Double) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        var taken = 0
        while taken < due.count {
            if now >= burst.begin + Self.burst.pause { burst = (now, 0) }
            guard burst.count < Self.burst.length else { break }
            let next = due[taken]
            taken += 1
            // Frames that were acknowledged meanwhile are gone.
            guard let index = frames.firstIndex(where: { $0.number == next.frame }) else { continue }
            datagrams.append(transmit(index, next.packet, at: now))
            burst.count += 1
        }
        due.removeFirst(taken)
        return datagrams
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
        firstTimestamp &+ UInt32(truncatingIfNeeded: Int(((time - origin) * Double(format.rate)).rounded()))
    }
}

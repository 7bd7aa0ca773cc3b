/// The receiving side of a stream as a state machine: packets become frames, each at the time at which it is due.
///
/// All times are seconds of one clock, which need not be the sender's.
public struct StreamReceiver: Sendable {
    public enum Output: Sendable, Hashable {
        /// Sends a datagram to the sender.
        case send([UInt8])
        /// Plays a frame.
        ///
        /// - Parameters:
        ///   - isKey: A Boolean value that indicates whether it can be decoded without earlier frames.
        ///   - due: The time at which its first sample, or the picture, is due.
        ///   - timestamp: The sender's, in units of the format.
        case play(frame: Int, [UInt8], isKey: Bool, due: Double, timestamp: UInt32)
        /// A frame didn't arrive in time, or can't be decoded without one that didn't.
        case lost(frame: Int)
    }

    /// The highest number of bytes in all frames that wait.
    private static let mostBytes = 4 << 20
    /// The shortest time between two feedbacks about the same losses.
    private static let feedbackPause = 0.03
    /// The time in which the estimate of the sender's clock follows it.
    private static let smoothing = 30.0

    private struct Incomplete {
        let timestamp: UInt32
        let last: UInt16
        let isKey: Bool
        var parts: [UInt16: [UInt8]] = [:]
    }

    private struct Complete {
        let timestamp: UInt32
        let isKey: Bool
        let content: [UInt8]
    }

    private struct Clock {
        var report: SenderReport
        var arrival: Double
        /// The receiver's clock minus the sender's.
        var offset: Double
    }

    private let format: StreamFormat
    private let source: UInt32
    private let receiver: UInt32
    private let cipher: FrameCipher
    private let epoch: Double
    private var delay: Double
    private var checkpoint = -1
    private var played = -1
    private var highest = -1
    private var incomplete: [Int: Incomplete] = [:]
    private var complete: [Int: Complete] = [:]
    private var bytes = 0
    /// A Boolean value that indicates whether frames are of no use before the next key frame.
    private var isBroken: Bool
    private var clock: Clock?
    private var heard: Double
    private var lastFeedback = -Double.infinity
    private var lastReport = -Double.infinity
    private var feedbacks: UInt8 = 0
    private var sequence: (first: UInt16, highest: Int)?
    private var arrived = 0
    private var before = (expected: 0, arrived: 0)

    public init(
        _ format: StreamFormat = .sound, source: UInt32, receiver: UInt32, cipher: FrameCipher,
        delay: Double = AudioFormat.delay, now: Double, epoch: Double = 0
    ) {
        self.format = format
        isBroken = !format.hasOnlyKeyFrames
        self.source = source
        self.receiver = receiver
        self.cipher = cipher
        self.delay = delay
        self.epoch = epoch
        heard = now
    }

    /// Returns a Boolean value that indicates whether the sender has been silent for too long.
    public func isAbandoned(at now: Double) -> Bool { now - heard >= AudioFormat.patience }

    /// The time of the next call of ``tick(at:)``.
    public var nextWake: Double {
        let feedback = min(
            lastReport + AudioFormat.reportInterval, hasGaps ? lastFeedback + Self.feedbackPause : .infinity)
        guard let next = complete.keys.min(), let due = due(complete[next]?.timestamp ?? 0) else { return feedback }
        return min(feedback, due)
    }

    public mutating func received(_ datagram: [UInt8], at now: Double) -> [Output] {
        guard datagram.count > 1 else { return [] }
        if 192...223 ~= datagram[1] {
            for case .senderReport(let report) in (try? ControlPacket.all(in: datagram)) ?? []
            where report.source == source {
                heard = now
                follow(report, at: now)
            }
            return tick(at: now)
        }
        guard let packet = try? RTPPacket(datagram), packet.source == source else { return [] }
        heard = now
        count(packet.sequenceNumber)
        if let new = packet.playoutDelay { delay = Double(new) / 1000 }
        let number = FrameNumbers.after(checkpoint, packet.frame)
        guard number <= checkpoint + AudioFormat.window, complete[number] == nil, number > played else { return [] }
        highest = max(highest, number)
        guard add(packet, to: number) else { return [] }
        while complete[checkpoint + 1] != nil { checkpoint += 1 }
        return [feedback(at: now)] + tick(at: now)
    }

    /// Plays what is due, and reports.
    public mutating func tick(at now: Double) -> [Output] {
        var outputs: [Output] = []
        while let next = complete.keys.min(), let frame = complete[next], let due = due(frame.timestamp), due <= now {
            // Missing frames before it would come too late by now.
            for number in played + 1..<next {
                outputs.append(.lost(frame: number))
                bytes -= incomplete.removeValue(forKey: number)?.parts.values.reduce(0) { $0 + $1.count } ?? 0
                isBroken = !format.hasOnlyKeyFrames
            }
            played = next
            complete[next] = nil
            bytes -= frame.content.count
            if isBroken, !frame.isKey {
                outputs.append(.lost(frame: next))
                outputs.append(.send(ControlPacket.pictureLoss(receiver: receiver, source: source).encoded))
            } else {
                isBroken = false
                outputs.append(
                    .play(frame: next, frame.content, isKey: frame.isKey, due: due, timestamp: frame.timestamp))
            }
            checkpoint = max(checkpoint, played)
            while complete[checkpoint + 1] != nil { checkpoint += 1 }
        }
        if now >= lastReport + AudioFormat.reportInterval {
            lastReport = now
            outputs.append(feedback(at: now, withReport: true))
        } else if hasGaps, now >= lastFeedback + Self.feedbackPause {
            outputs.append(feedback(at: now))
        }
        return outputs
    }

    // MARK: Frames

    private mutating func add(_ packet: RTPPacket, to number: Int) -> Bool {
        var frame =
            incomplete[number]
            ?? Incomplete(
                timestamp: packet.timestamp, last: packet.lastPacket, isKey: packet.isKey)
        guard frame.timestamp == packet.timestamp, frame.last == packet.lastPacket, frame.parts[packet.packet] == nil,
            bytes + packet.payload.count <= Self.mostBytes
        else { return false }
        frame.parts[packet.packet] = packet.payload
        bytes += packet.payload.count
        incomplete[number] = frame
        guard frame.parts.count == Int(frame.last) + 1 else { return false }
        incomplete[number] = nil
        let content = frame.parts.sorted { $0.key < $1.key }.flatMap(\.value)
        complete[number] = Complete(
            timestamp: frame.timestamp, isKey: frame.isKey, content: cipher.apply(to: content, number: number))
        return true
    }

    private var hasGaps: Bool { highest > checkpoint }

    private var losses: [StreamFeedback.Loss] {
        guard highest > checkpoint else { return [] }
        return (checkpoint + 1...highest).filter { complete[$0] == nil }.flatMap { number -> [StreamFeedback.Loss] in
            let bits = UInt8(truncatingIfNeeded: number)
            guard let frame = incomplete[number] else {
                return [StreamFeedback.Loss(frame: bits, packet: StreamFeedback.Loss.all)]
            }
            var losses: [StreamFeedback.Loss] = []
            for packet in 0...frame.last where frame.parts[packet] == nil && losses.count < 255 {
                if let last = losses.last, packet - last.packet <= 8 {
                    losses[losses.count - 1].following |= 1 << UInt8(packet - last.packet - 1)
                } else {
                    losses.append(StreamFeedback.Loss(frame: bits, packet: packet))
                }
            }
            return losses
        }
    }

    private mutating func feedback(at now: Double, withReport: Bool = false) -> Output {
        lastFeedback = now
        defer { feedbacks &+= 1 }
        let beyond = complete.keys.filter { $0 >= checkpoint + 2 }.map { $0 - checkpoint }.sorted()
        let feedback = StreamFeedback(
            receiver: receiver, source: source, checkpoint: UInt8(truncatingIfNeeded: checkpoint),
            losses: Array(losses.prefix(255)), delay: UInt16(clamping: Int(delay * 1000)), complete: beyond,
            count: feedbacks)
        let packets: [ControlPacket] = [
            .receiverReport(receiver: receiver, withReport ? report(at: now) : []),
            .referenceTime(receiver: receiver, NetworkTime(seconds: epoch + now)), .feedback(feedback),
        ]
        return .send(packets.flatMap(\.encoded))
    }

    /// Nothing before the sender's first report: Chromium takes a report on itself as the proof that its own has arrived, and would
    /// never send one.
    private mutating func report(at now: Double) -> [ReportBlock] {
        guard let clock else { return [] }
        let expected = sequence.map { $0.highest - Int($0.first) + 1 } ?? 0
        let part = (expected: expected - before.expected, arrived: arrived - before.arrived)
        before = (expected, arrived)
        let fraction = part.expected > 0 ? 256 * (part.expected - part.arrived) / part.expected : 0
        let block = ReportBlock(
            source: source, fractionLost: UInt8(clamping: fraction), lost: UInt32(clamping: expected - arrived),
            highestSequenceNumber: UInt32(truncatingIfNeeded: sequence?.highest ?? 0), jitter: 0,
            lastReport: clock.report.time.middle, delay: UInt32(clamping: Int((now - clock.arrival) * 65_536)))
        return [block]
    }

    private mutating func count(_ number: UInt16) {
        arrived += 1
        guard let known = sequence else {
            sequence = (number, Int(number))
            return
        }
        let distance = Int16(bitPattern: number &- UInt16(truncatingIfNeeded: known.highest))
        if distance > 0 { sequence?.highest += Int(distance) }
    }

    // MARK: Time

    private mutating func follow(_ report: SenderReport, at now: Double) {
        let offset = now - report.time.seconds
        guard let last = clock else {
            clock = Clock(report: report, arrival: now, offset: offset)
            return
        }
        let weight = min(1, max(0, now - last.arrival) / Self.smoothing)
        clock = Clock(report: report, arrival: now, offset: last.offset + (offset - last.offset) * weight)
    }

    /// The time at which a frame is due; `nil` as long as the sender's clock is unknown.
    private func due(_ timestamp: UInt32) -> Double? {
        clock.map { clock in
            let units = Int32(bitPattern: timestamp &- clock.report.timestamp)
            return clock.report.time.seconds + Double(units) / Double(format.rate) + clock.offset + delay
        }
    }
}

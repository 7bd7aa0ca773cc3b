/// A stream of audio as a value: what is sent when, what is sent again, where the listener is.
///
/// The owner hands in samples ahead of time and asks at ``nextWake`` for what is due. Each packet is sent ``latency``
/// before it is played, by a clock that the receiver learns from sync packets and by asking. A run begins with
/// ``start(at:)``; ``pause(at:)`` ends it and keeps everything that was not heard, so that nothing is lost or played twice
/// when it goes on, but for less than a packet.
package struct AudioStream: Sendable {
    package enum Action: Sendable, Hashable {
        case sendAudio([UInt8])
        case sendControl([UInt8])
        case sendTiming([UInt8])
        /// The samples did not come in time: pause, and start again when there are enough.
        case stalled
        /// Everything was played.
        case ended
        /// The receiver has not asked for the time since the run began, which all do at once: it cannot.
        case returnPathBlocked
    }

    /// A run of packets without a gap in time.
    private struct Run: Sendable {
        let begin: StreamTime
        /// Frame of the stream that it begins with, and the media's frame that is heard first.
        let frame: Int64
        let mediaFrame: Int64
        /// Silent packets that have to go out before the media.
        var leadIn = AudioStream.leadInLength
        var lastSync: StreamTime?
        var hasSentAudio = false

        /// Frame of the stream that the media begins with.
        var mediaBegin: Int64 { frame + Int64(AudioStream.leadInLength * LosslessFrame.frameCount) }
    }

    /// Packets of silence before the media: receivers mute the beginning of a run, shairport-sync for nine packets.
    private static let leadInLength = 16
    private static let silence = LosslessFrame.encode([])

    /// How long the receiver may take to ask for the time, in seconds.
    private static let patience = 2.2
    /// A stream that is less than this ahead of the listener is lost.
    private static let leastLead = 0.3
    private static let syncInterval = 1.0
    private static let historyLength = 1024
    private static let rate = Double(StreamDescription.frameRate)

    /// Between sending and playing, in seconds, with what the receiver adds by itself.
    package let latency: Double
    package private(set) var quality: StreamQuality
    /// What the receiver adds by itself to the time it is told, in frames.
    private var receiverDelay: Int64 = 0
    private let source: UInt32
    private let timestampBase: UInt32
    private var sequenceNumber: UInt16
    /// Of the next packet, since the stream began.
    private var frame: Int64 = 0
    /// Of the media, of the next packet in the queue.
    private var mediaFrame: Int64 = 0
    private var queue: [[UInt8]] = []
    private var queueStart = 0
    private var isInputOver = false
    private var history = PacketHistory(capacity: historyLength)
    private var run: Run?
    private var hasEnded = false
    private var wasAsked = false
    private var hasComplained = false

    /// - Parameters:
    ///   - sequenceNumber: Random, as are `timestamp` and `source`.
    ///   - latency: Seconds between sending and playing.
    package init(sequenceNumber: UInt16, timestamp: UInt32, source: UInt32, latency: Double) {
        self.sequenceNumber = sequenceNumber
        timestampBase = timestamp
        self.source = source
        self.latency = latency
        quality = StreamQuality(latency: latency)
    }

    /// What the receiver says it adds by itself; for before the first run.
    ///
    /// - Parameter frames: At most half of the latency is believed.
    package mutating func setReceiverDelay(frames: Int) {
        receiverDelay = Int64(max(0, min(frames, Int(latency * Self.rate / 2))))
    }

    // MARK: Samples

    /// Encoded packets not sent yet.
    package var queuedPackets: Int { queue.count - queueStart }

    package var isRunning: Bool { run != nil }

    /// Adds an encoded packet of ``LosslessFrame/frameCount`` frames behind the others.
    package mutating func enqueue(_ payload: [UInt8]) { queue.append(payload) }

    /// Nothing comes behind what is queued.
    package mutating func finishInput() { isInputOver = true }

    package var isInputFinished: Bool { isInputOver }

    /// Forgets what is queued and what could be played again: the next packet is another place of the media.
    package mutating func seek(toMediaFrame frame: Int64) {
        queue = []
        queueStart = 0
        isInputOver = false
        hasEnded = false
        mediaFrame = frame
        history.removeAll()
    }

    // MARK: Runs

    /// The packet that comes next, as `RECORD` and `FLUSH` name it.
    package var nextPacket: (sequenceNumber: UInt16, timestamp: UInt32) { (sequenceNumber, timestamp(of: frame)) }

    /// The first and the last timestamp of the media, and the one that is heard: what `progress` tells.
    ///
    /// - Parameter duration: Frames of the media.
    package func progress(at time: StreamTime, duration: Int64) -> (start: UInt32, current: UInt32, end: UInt32) {
        let position = mediaPosition(at: time)
        let current = run.map { max($0.mediaBegin, heardFrame(at: time, $0)) } ?? frame
        return (
            timestamp(of: current - position), timestamp(of: current), timestamp(of: current - position + duration)
        )
    }

    /// Begins to play: the first packet, of silence, is heard ``latency`` from now.
    package mutating func start(at now: StreamTime) {
        guard run == nil else { return }
        run = Run(begin: now, frame: frame, mediaFrame: mediaFrame)
    }

    /// Ends the run; what was sent and not heard is queued again, in front.
    ///
    /// The receiver has to be told to forget what it has: `FLUSH` up to ``nextPacket``.
    package mutating func pause(at now: StreamTime) {
        guard let run else { return }
        let heard = heardFrame(at: now, run)
        let unheard = history.entries(from: heard).filter { $0.frame >= run.mediaBegin }
        if let first = unheard.first {
            mediaFrame = run.mediaFrame + first.frame - run.mediaBegin
            let payloads = unheard.map { Array($0.encoded.dropFirst(AudioPacket.headerSize)) }
            queue = payloads + queue[queueStart...]
            queueStart = 0
        }
        self.run = nil
    }

    /// Frame of the media that is heard.
    package func mediaPosition(at time: StreamTime) -> Int64 {
        guard let run else { return mediaFrame }
        return run.mediaFrame + max(0, heardFrame(at: time, run) - run.mediaBegin)
    }

    /// When the first sample of the media is heard in this run; `nil` while nothing runs.
    package var runIsHeardAt: StreamTime? { run.map { heardAt($0.mediaBegin, $0) } }

    // MARK: Time

    /// When ``due(at:)`` has to be asked again; `nil` while nothing runs.
    package var nextWake: StreamTime? {
        guard let run else { return nil }
        let packet = due(frame, run)
        let sync = run.lastSync.map { $0 + Self.syncInterval } ?? run.begin
        return min(queuedPackets > 0 || !isInputOver ? packet : heardAt(frame, run), sync)
    }

    /// Everything that is to be sent by now.
    ///
    /// - Parameter ahead: Seconds: what falls due within them is sent too, which saves wake-ups.
    package mutating func due(at now: StreamTime, ahead: Double = 0) -> [Action] {
        guard var run else { return [] }
        var actions: [Action] = []
        if run.lastSync.map({ now - $0 >= Self.syncInterval }) ?? true {
            actions.append(.sendControl(sync(at: now, run, isFirst: run.lastSync == nil)))
            run.lastSync = now
        }
        if !wasAsked, !hasComplained, now - run.begin >= Self.patience {
            hasComplained = true
            actions.append(.returnPathBlocked)
        }
        let until = now + ahead
        while queuedPackets > 0, due(frame, run) <= until {
            let lateness = now - due(frame, run)
            if lateness > latency - Self.leastLead { break }
            if lateness > StreamQuality.lateness { quality.packetsLate += 1 }
            actions.append(.sendAudio(nextAudio(&run)))
        }
        self.run = run
        if isInputOver, queuedPackets == 0 {
            if !hasEnded, heardAt(frame, run) <= now {
                hasEnded = true
                actions.append(.ended)
            }
        } else if now - due(frame, run) > latency - Self.leastLead {
            quality.stalls += 1
            actions.append(.stalled)
        }
        return actions
    }

    private mutating func nextAudio(_ run: inout Run) -> [UInt8] {
        let isSilence = run.leadIn > 0
        let packet = AudioPacket(
            sequenceNumber: sequenceNumber, timestamp: timestamp(of: frame), source: source,
            isFirst: !run.hasSentAudio, payload: isSilence ? Self.silence : queue[queueStart])
        run.hasSentAudio = true
        if isSilence { run.leadIn -= 1 } else { mediaFrame += Int64(LosslessFrame.frameCount) }
        queueStart += isSilence ? 0 : 1
        if queueStart > 256 {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
        let encoded = packet.encoded
        history.append(PacketHistory.Entry(sequenceNumber: sequenceNumber, frame: frame, encoded: encoded))
        sequenceNumber &+= 1
        frame += Int64(LosslessFrame.frameCount)
        quality.packetsSent += 1
        return encoded
    }

    /// By the clock and not by what was sent, so that a late sender does not shift the listener's time.
    private func sync(at now: StreamTime, _ run: Run, isFirst: Bool) -> [UInt8] {
        let current = run.frame + Int64(((now - run.begin) * Self.rate).rounded())
        return ControlPacket.sync(
            timestamp: timestamp(of: current),
            latency: UInt32(Int64((latency * Self.rate).rounded()) - receiverDelay), at: now, isFirst: isFirst)
    }

    private func timestamp(of frame: Int64) -> UInt32 { timestampBase &+ UInt32(truncatingIfNeeded: frame) }

    private func due(_ frame: Int64, _ run: Run) -> StreamTime { run.begin + Double(frame - run.frame) / Self.rate }

    private func heardAt(_ frame: Int64, _ run: Run) -> StreamTime { due(frame, run) + latency }

    /// Not before the run's first, and not beyond what was sent.
    private func heardFrame(at time: StreamTime, _ run: Run) -> Int64 {
        let elapsed = Int64(((time - run.begin - latency) * Self.rate).rounded(.down))
        return min(frame, run.frame + max(0, elapsed))
    }

    // MARK: The receiver's word

    /// A datagram came to the control port.
    package mutating func receivedControl(_ packet: [UInt8]) -> [Action] {
        guard let request = ControlPacket.ResendRequest(packet) else { return [] }
        var actions: [Action] = []
        for offset in 0..<request.count {
            quality.packetsLost += 1
            guard let entry = history[request.first &+ UInt16(truncatingIfNeeded: offset)] else { continue }
            quality.packetsResent += 1
            actions.append(.sendControl(ControlPacket.resent(entry.encoded)))
        }
        return actions
    }

    /// A datagram came to the timing port.
    package mutating func receivedTiming(_ packet: [UInt8], at received: StreamTime, now: StreamTime) -> [Action] {
        guard let request = TimingPacket(packet) else { return [] }
        wasAsked = true
        return [.sendTiming(request.answer(received: received, now: now))]
    }
}

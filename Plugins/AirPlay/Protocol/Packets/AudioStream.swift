/// An audio stream as a value: the packets to send and resend and their times, and the listener's position.
///
/// The owner adds samples ahead of time, and requests the due actions at ``nextWake``. Each packet is sent ``latency``
/// before it is played, by a clock that receivers learn from sync packets and requests. An ``AudioListener`` has the
/// state of one receiver. A run starts with ``start(at:)``. ``pause(at:)`` ends it and keeps everything that wasn't
/// heard, so that less than a packet is lost or repeated when playback resumes.
package struct AudioStream: Sendable {
    package enum Action: Sendable, Hashable {
        case sendAudio([UInt8])
        case tellTime(StreamSync)
        /// The samples did not come in time: pause, and start again when there are enough.
        case stalled
        /// Everything was played.
        case ended
    }

    /// A run of packets without a gap in time.
    private struct Run: Sendable {
        let begin: StreamTime
        /// The first frame of the run in the stream, and the first frame of the media to play.
        let frame: Int64
        let mediaFrame: Int64
        /// Silent packets that have to go out before the media.
        var leadIn = AudioStream.leadInLength
        /// Silent packets that went out behind it.
        var leadOut = 0
        var lastSync: StreamTime?
        var hasSentAudio = false

        /// Frame of the stream that the media begins with.
        var mediaBegin: Int64 { frame + Int64(AudioStream.leadInLength * LosslessFrame.frameCount) }
    }

    /// Packets of silence before the media: receivers mute the beginning of a run, shairport-sync for nine packets.
    private static let leadInLength = 16
    /// The number of silent packets after the media. Receivers detect a lost packet when a later one arrives, and
    /// shairport-sync repeats its requests only while packets arrive.
    private static let leadOutLength = 64
    private static let silence = LosslessFrame.encode([])

    /// A stream that is less than this ahead of the listener is lost. A short latency leaves less.
    private var leastLead: Double { min(0.3, latency / 2) }
    private static let syncInterval = 1.0
    private static let historyLength = 1024
    private static let rate = Double(StreamDescription.frameRate)

    /// The time between sending and playing in seconds, including the receivers' own latency.
    package private(set) var latency: Double
    package private(set) var quality: StreamQuality
    private let source: UInt32
    private let timestampBase: UInt32
    private var sequenceNumber: UInt16
    /// The frame of the next packet since the start of the stream.
    private var frame: Int64 = 0
    /// The frame of the media of the next packet in the queue.
    private var mediaFrame: Int64 = 0
    private var queue: [[UInt8]] = []
    private var queueStart = 0
    private var isInputOver = false
    private var history = PacketHistory(capacity: historyLength)
    private var run: Run?
    private var hasEnded = false

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

    /// Raises the latency for a receiver that adds more than half of it by itself, unless the stream runs already.
    ///
    /// - Parameters:
    ///   - delay: The receiver's latency in frames.
    ///   - limit: The highest latency in seconds.
    package mutating func makeRoom(for delay: Int, upTo limit: Double) {
        guard run == nil else { return }
        latency = max(latency, min(limit, 2 * Double(max(0, delay)) / Self.rate))
        quality.latency = latency
    }

    // MARK: Samples

    /// Encoded packets not sent yet.
    package var queuedPackets: Int { queue.count - queueStart }

    package var isRunning: Bool { run != nil }

    /// Adds an encoded packet of ``LosslessFrame/frameCount`` frames behind the others.
    package mutating func enqueue(_ payload: [UInt8]) { queue.append(payload) }

    /// Marks the end of the input.
    package mutating func finishInput() { isInputOver = true }

    package var isInputFinished: Bool { isInputOver }

    /// Discards the queue and the history. The next packet is from another place of the media.
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

    /// Returns the first, current and last timestamp of the media, for `progress`.
    ///
    /// - Parameter duration: The number of frames of the media.
    package func progress(at time: StreamTime, duration: Int64) -> (start: UInt32, current: UInt32, end: UInt32) {
        let position = mediaPosition(at: time)
        let current = run.map { max($0.mediaBegin, heardFrame(at: time, $0)) } ?? frame
        return (
            timestamp(of: current - position), timestamp(of: current), timestamp(of: current - position + duration)
        )
    }

    /// Starts a run. The first packet, of silence, plays after ``latency``.
    package mutating func start(at now: StreamTime) {
        guard run == nil else { return }
        run = Run(begin: now, frame: frame, mediaFrame: mediaFrame)
    }

    /// Ends the run. Packets that were sent but not heard are queued again, in front.
    ///
    /// The receiver must discard its buffer afterwards: send `FLUSH` with ``nextPacket``.
    package mutating func pause(at now: StreamTime) {
        guard let run else { return }
        let heard = heardFrame(at: now, run)
        let media = run.mediaBegin..<mediaEnd(run)
        let unheard = history.entries(from: heard).filter { media.contains($0.frame) }
        if let first = unheard.first {
            mediaFrame = run.mediaFrame + first.frame - run.mediaBegin
            let payloads = unheard.map { Array($0.encoded.dropFirst(AudioPacket.headerSize)) }
            queue = payloads + queue[queueStart...]
            queueStart = 0
        }
        self.run = nil
    }

    /// Returns the frame of the media that plays at a time.
    package func mediaPosition(at time: StreamTime) -> Int64 {
        guard let run else { return mediaFrame }
        return min(mediaFrame, run.mediaFrame + max(0, heardFrame(at: time, run) - run.mediaBegin))
    }

    /// The time at which the first sample of the media plays in this run; `nil` without a run.
    package var runIsHeardAt: StreamTime? { run.map { heardAt($0.mediaBegin, $0) } }

    // MARK: Time

    /// The time at which to call ``due(at:ahead:)`` again; `nil` without a run.
    package var nextWake: StreamTime? {
        guard let run else { return nil }
        let packet = due(frame, run)
        let sync = run.lastSync.map { $0 + Self.syncInterval } ?? run.begin
        guard isInputOver, queuedPackets == 0 else { return min(packet, sync) }
        let end = heardAt(mediaEnd(run), run)
        return min(run.leadOut < Self.leadOutLength ? min(packet, end) : end, sync)
    }

    /// Behind the last frame of the stream that has been sent of the media.
    private func mediaEnd(_ run: Run) -> Int64 { run.mediaBegin + mediaFrame - run.mediaFrame }

    /// Returns the actions that are due.
    ///
    /// - Parameter ahead: The seconds of later actions to include, which reduces wake-ups.
    package mutating func due(at now: StreamTime, ahead: Double = 0) -> [Action] {
        guard var run else { return [] }
        var actions: [Action] = []
        if run.lastSync.map({ now - $0 >= Self.syncInterval }) ?? true {
            actions.append(.tellTime(sync(at: now, run)))
            run.lastSync = now
        }
        let until = now + ahead
        while queuedPackets > 0 || (isInputOver && run.leadOut < Self.leadOutLength), due(frame, run) <= until {
            let lateness = now - due(frame, run)
            if lateness > latency - leastLead { break }
            if lateness > StreamQuality.lateness { quality.packetsLate += 1 }
            actions.append(.sendAudio(nextAudio(&run)))
        }
        self.run = run
        if isInputOver, queuedPackets == 0 {
            if !hasEnded, heardAt(mediaEnd(run), run) <= now {
                hasEnded = true
                actions.append(.ended)
            }
        } else if now - due(frame, run) > latency - leastLead {
            quality.stalls += 1
            actions.append(.stalled)
        }
        return actions
    }

    private mutating func nextAudio(_ run: inout Run) -> [UInt8] {
        let isBehind = queuedPackets == 0
        let isSilence = run.leadIn > 0 || isBehind
        let packet = AudioPacket(
            sequenceNumber: sequenceNumber, timestamp: timestamp(of: frame), source: source,
            isFirst: !run.hasSentAudio, payload: isSilence ? Self.silence : queue[queueStart])
        run.hasSentAudio = true
        if isBehind {
            run.leadOut += 1
        } else if isSilence {
            run.leadIn -= 1
        } else {
            mediaFrame += Int64(LosslessFrame.frameCount)
        }
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

    /// Returns the sync packet by the clock, independent of the packets sent, so that a late sender doesn't shift the
    /// listener's time.
    private func sync(at now: StreamTime, _ run: Run) -> StreamSync {
        let current = run.frame + Int64(((now - run.begin) * Self.rate).rounded())
        return StreamSync(
            timestamp: timestamp(of: current), latency: UInt32((latency * Self.rate).rounded()), time: now,
            isFirst: run.lastSync == nil)
    }

    private func timestamp(of frame: Int64) -> UInt32 { timestampBase &+ UInt32(truncatingIfNeeded: frame) }

    private func due(_ frame: Int64, _ run: Run) -> StreamTime { run.begin + Double(frame - run.frame) / Self.rate }

    private func heardAt(_ frame: Int64, _ run: Run) -> StreamTime { due(frame, run) + latency }

    /// Returns the frame that plays, at least the first of the run and at most the last that was sent.
    private func heardFrame(at time: StreamTime, _ run: Run) -> Int64 {
        let elapsed = Int64(((time - run.begin - latency) * Self.rate).rounded(.down))
        return min(frame, run.frame + max(0, elapsed))
    }

    /// Returns a sent packet; `nil` if it is no longer stored.
    func sentPacket(_ number: UInt16) -> [UInt8]? { history[number]?.encoded }
}

/// The relation between the stream's frames and the local clock, as receivers get it.
package struct StreamSync: Sendable, Hashable {
    /// The timestamp of the frame that is sent at ``time``.
    let timestamp: UInt32
    /// Frames between sending and playing.
    let latency: UInt32
    let time: StreamTime
    /// A Boolean value that indicates whether this is the first packet of a run, which replaces the earlier time.
    let isFirst: Bool
}

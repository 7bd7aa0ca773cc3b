/// What is one receiver's own of a stream that several may hear: its time, what it lost, whether it reaches this machine.
package struct AudioListener: Sendable {
    /// How long it may take to ask for the time, in seconds; all do at once.
    private static let patience = 2.2

    /// What it adds by itself to the time it is told, in frames; `nil` until it gets the stream.
    private var delay: UInt32?
    /// When it was told the time first.
    private var begin: StreamTime?
    private var hasHeard = false
    /// How it takes audio; `nil` for as it is.
    private var encryption: StreamEncryption?
    private var wasAsked = false
    private var hasComplained = false
    private var packetsLost = 0
    private var packetsResent = 0

    package init() {}

    /// It gets what is sent from now on.
    ///
    /// - Parameters:
    ///   - delay: Frames that it says it adds by itself.
    ///   - latency: Of the stream, in seconds; at most half of it is believed.
    ///   - encryption: How it takes audio; `nil` for as it is.
    package mutating func listen(delay: Int, latency: Double, encryption: StreamEncryption? = nil) {
        self.encryption = encryption
        self.delay = UInt32(max(0, min(delay, Int(latency * Double(StreamDescription.frameRate) / 2))))
    }

    package var isListening: Bool { delay != nil }

    /// What to tell it of the time; `nil` where it gets nothing yet.
    package mutating func sync(_ sync: StreamSync) -> [UInt8]? {
        guard let delay else { return nil }
        let isFirst = begin == nil || sync.isFirst
        begin = begin ?? sync.time
        return ControlPacket.sync(
            timestamp: sync.timestamp, latency: sync.latency &- delay, at: sync.time, isFirst: isFirst)
    }

    /// An audio packet as it gets it: the first says that it is. `nil` where it gets nothing yet.
    package mutating func audio(_ packet: [UInt8]) -> [UInt8]? {
        guard isListening else { return nil }
        defer { hasHeard = true }
        return sealed(hasHeard ? packet : AudioPacket.first(packet))
    }

    private func sealed(_ packet: [UInt8]) -> [UInt8]? {
        guard let encryption else { return packet }
        return encryption.sealed(packet)
    }

    /// Whether its own packets do not come back; said once.
    package mutating func isCutOff(at now: StreamTime) -> Bool {
        guard let begin, !wasAsked, !hasComplained, now - begin >= Self.patience else { return false }
        hasComplained = true
        return true
    }

    /// A datagram came to its control port.
    ///
    /// - Returns: What to answer there.
    package mutating func receivedControl(_ packet: [UInt8], of stream: AudioStream) -> [[UInt8]] {
        guard let request = ControlPacket.ResendRequest(packet) else { return [] }
        var answers: [[UInt8]] = []
        for offset in 0..<request.count {
            packetsLost += 1
            let sent = stream.sentPacket(request.first &+ UInt16(truncatingIfNeeded: offset)).flatMap(sealed)
            guard let sent else { continue }
            packetsResent += 1
            answers.append(ControlPacket.resent(sent))
        }
        return answers
    }

    /// A datagram came to its timing port.
    ///
    /// - Returns: What to answer there; `nil` to what is no question.
    package mutating func receivedTiming(
        _ packet: [UInt8], at received: StreamTime, now: StreamTime
    ) -> [UInt8]? {
        guard let request = TimingPacket(packet) else { return nil }
        wasAsked = true
        return request.answer(received: received, now: now)
    }

    /// How the stream went for it.
    package func quality(of stream: AudioStream) -> StreamQuality {
        var quality = stream.quality
        quality.packetsLost = packetsLost
        quality.packetsResent = packetsResent
        return quality
    }
}

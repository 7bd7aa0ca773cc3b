/// The state of one receiver of a stream: its time, its lost packets, and whether its packets arrive.
package struct AudioListener: Sendable {
    /// The seconds within which all receivers ask for the time.
    private static let patience = 2.2

    /// The latency that the receiver adds by itself, in frames; `nil` before it gets the stream.
    private var delay: UInt32?
    /// The time at which it first got the time.
    private var begin: StreamTime?
    private var hasHeard = false
    /// The encryption of the audio; `nil` for none.
    private var encryption: StreamEncryption?
    private var wasAsked = false
    private var hasComplained = false
    private var packetsLost = 0
    private var packetsResent = 0

    package init() {}

    /// Starts to send the stream to the receiver.
    ///
    /// - Parameters:
    ///   - delay: The latency that the receiver reports, in frames.
    ///   - latency: The latency of the stream in seconds. At most half of it is accepted as the receiver's.
    ///   - encryption: The encryption of the audio; `nil` for none.
    package mutating func listen(delay: Int, latency: Double, encryption: StreamEncryption? = nil) {
        self.encryption = encryption
        self.delay = UInt32(max(0, min(delay, Int(latency * Double(StreamDescription.frameRate) / 2))))
    }

    package var isListening: Bool { delay != nil }

    /// Returns the packet with the time; `nil` if the receiver doesn't get the stream.
    package mutating func sync(_ sync: StreamSync) -> [UInt8]? {
        guard let delay else { return nil }
        let isFirst = begin == nil || sync.isFirst
        begin = begin ?? sync.time
        return ControlPacket.sync(
            timestamp: sync.timestamp, latency: sync.latency &- delay, at: sync.time, isFirst: isFirst)
    }

    /// Returns an audio packet for the receiver. The first one is marked. `nil` if the receiver doesn't get the stream.
    package mutating func audio(_ packet: [UInt8]) -> [UInt8]? {
        guard isListening else { return nil }
        defer { hasHeard = true }
        return sealed(hasHeard ? packet : AudioPacket.first(packet))
    }

    private func sealed(_ packet: [UInt8]) -> [UInt8]? {
        guard let encryption else { return packet }
        return encryption.sealed(packet)
    }

    /// Returns `true` once if the receiver's own packets don't arrive.
    package mutating func isCutOff(at now: StreamTime) -> Bool {
        guard let begin, !wasAsked, !hasComplained, now - begin >= Self.patience else { return false }
        hasComplained = true
        return true
    }

    /// Processes a datagram at the control port.
    ///
    /// - Returns: The answers for that port.
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

    /// Processes a datagram at the timing port.
    ///
    /// - Returns: The answer; `nil` if the datagram isn't a request.
    package mutating func receivedTiming(
        _ packet: [UInt8], at received: StreamTime, now: StreamTime
    ) -> [UInt8]? {
        guard let request = TimingPacket(packet) else { return nil }
        wasAsked = true
        return request.answer(received: received, now: now)
    }

    /// Returns the quality of the stream for this receiver.
    package func quality(of stream: AudioStream) -> StreamQuality {
        var quality = stream.quality
        quality.packetsLost = packetsLost
        quality.packetsResent = packetsResent
        return quality
    }
}

import SoundFeed

/// The commands of PulseAudio's native protocol that a tunnel uses.
///
/// Source: PulseAudio 16.1, `pulsecore/native-common.h`.
enum TunnelCommand: UInt32 {
    case error = 0
    case reply = 2
    case createPlaybackStream = 3
    case authenticate = 8
    case setClientName = 9
    case readLatency = 14
    case readServer = 20
    case readStream = 29
    case subscribe = 35
    case setStreamVolume = 37
    case cork = 41
    case setStreamName = 46
    /// The server wants samples.
    case request = 61
    case event = 66
    case setStreamMuted = 69
    /// Nothing is asked for until the server goes on.
    case suspended = 76
}

/// The server's side of a `module-tunnel-sink`: its sink is this program's, with the level and the delay of a device. A value
/// without I/O.
///
/// It speaks version 11 of the protocol, the first in which a stream can be muted. Commands of later versions have fields
/// that a tunnel doesn't need.
///
/// Source: PulseAudio 16.1, `modules/module-tunnel.c`.
package struct TunnelSession {
    package enum Event: Hashable {
        /// Bytes for the client.
        case send([UInt8])
        /// Samples of the format of ``SoundFeed``.
        case samples(ArraySlice<UInt8>)
        /// The sink can be asked for samples.
        case begun
        /// A person or program changed the level, `0.0...1.0` on the scale shown to people.
        case level(Double)
        case muted(Bool)
    }

    private static let version: UInt32 = 11
    private static let blockSize = SoundFeed.blockLength * SoundFeed.bytesPerFrame
    /// The bytes of five seconds.
    private static let silence = 5 * SoundFeed.rate * SoundFeed.bytesPerFrame
    /// `PA_VOLUME_NORM`
    private static let full = 65_536.0
    /// `PA_ERR_NOTSUPPORTED`
    private static let notSupported: UInt32 = 19
    /// `PA_SUBSCRIPTION_EVENT_SINK_INPUT | PA_SUBSCRIPTION_EVENT_CHANGE`
    private static let streamChanged: UInt32 = 0x12

    private var frames = TunnelFrames()
    /// A Boolean value that indicates whether the sink can be asked for samples.
    private(set) var hasStream = false
    /// A Boolean value that indicates whether PulseAudio has suspended the sink.
    private var isCorked = false
    /// A Boolean value that indicates whether the client knows that it isn't asked for samples.
    private var isResting = false
    /// The level that the client shows, `0.0...1.0`.
    private(set) var level = 1.0
    private(set) var isMuted = false
    /// In microseconds.
    private var delay: UInt64 = 0
    /// The bytes that were requested and haven't arrived.
    package private(set) var outstanding = 0
    /// The part of a block that has arrived.
    private var block: [UInt8] = []

    package init() {}

    // MARK: What is told

    /// A Boolean value that indicates whether the sink delivers, silence if no program plays.
    package var delivers: Bool { hasStream && !isCorked }

    /// Requests a block of samples. It arrives at once if the sink delivers.
    package mutating func request() -> [Event] { request(Self.blockSize) }

    /// Requests silence before all sound: PulseAudio tells programs no delay longer than what it has delivered. Not for a
    /// sink that programs play to already, whose sound would arrive instead, long before its time. Requests nothing of a
    /// suspended sink, which would deliver when a program begins.
    package mutating func requestSilence() -> [Event] { delivers ? request(Self.silence) : [] }

    private mutating func request(_ size: Int) -> [Event] {
        guard hasStream else { return [] }
        let wakes = isResting ? [suspended(false)] : []
        isResting = false
        outstanding += size
        let request = command(.request) {
            $0.put(0)
            $0.put(UInt32(size))
        }
        return wakes + [request]
    }

    /// Requests nothing for a while. PulseAudio takes the time without requests for time that was played otherwise.
    package mutating func rest() -> [Event] {
        guard hasStream, !isResting else { return [] }
        isResting = true
        return [suspended(true)]
    }

    private func suspended(_ isSuspended: Bool) -> Event {
        command(.suspended) {
            $0.put(0)
            $0.put(isSuspended)
        }
    }

    /// Shows a level and a delay.
    ///
    /// - Parameters:
    ///   - level: `0.0...1.0`; `nil` if the device has none.
    ///   - isMuted: `nil` if the device can't be muted.
    ///   - delay: In seconds.
    package mutating func show(level: Double?, isMuted: Bool?, delay: Double) -> [Event] {
        let before = self
        self.level = level ?? self.level
        self.isMuted = isMuted ?? self.isMuted
        self.delay = UInt64(max(0, delay) * 1_000_000)
        guard hasStream else { return [] }
        let isLevelNew = self.level != before.level || self.isMuted != before.isMuted
        // PulseAudio takes a new delay for a clock that goes at another speed, except after a rest.
        let isDelayNew = self.delay != before.delay && !isResting
        return (isLevelNew ? [change] : []) + (isDelayNew ? [suspended(true), suspended(false)] : [])
    }

    /// Has the client read level and muting.
    private var change: Event {
        command(.event) {
            $0.put(Self.streamChanged)
            $0.put(0)
        }
    }

    // MARK: What is read

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - now: The time of day.
    ///   - wait: The time until the next block is requested, in seconds.
    /// - Throws: ``TunnelFailure`` if it isn't what a tunnel sends.
    package mutating func take(
        _ bytes: some Sequence<UInt8>, now: TunnelTime, wait: Double
    ) throws(TunnelFailure) -> [Event] {
        var events: [Event] = []
        for frame in try frames.take(bytes) {
            switch frame {
            case .command(let body): events += try take(command: body, now, wait)
            case .samples(let samples):
                guard hasStream, samples.count.isMultiple(of: SoundFeed.bytesPerFrame), samples.count <= outstanding
                else {
                    throw TunnelFailure("samples came that nobody wanted")
                }
                outstanding -= samples.count
                block += samples
                // PulseAudio cuts blocks where those of a program end. The parts don't have times of their own.
                guard outstanding == 0 || block.count >= Self.blockSize else { continue }
                events.append(.samples(block[...]))
                block = []
            }
        }
        return events
    }

    private mutating func take(
        command body: ArraySlice<UInt8>, _ now: TunnelTime, _ wait: Double
    ) throws(TunnelFailure) -> [Event] {
        var values = TunnelReader(body)
        let number = try values.number()
        let tag = try values.number()
        func reply(_ fill: (inout TunnelWriter) -> Void = { _ in }) -> Event { command(.reply, tag: tag, fill) }
        switch TunnelCommand(rawValue: number) {
        case .authenticate: return [reply { $0.put(Self.version) }]
        case .createPlaybackStream: return try create(&values, tag)
        case .readLatency:
            _ = try values.number()
            let asked = try values.time()
            return [
                reply { [delay] in
                    // Of what is requested next, so that the delay doesn't jump with each block.
                    $0.put(microseconds: delay + UInt64(max(0, wait) * 1_000_000))
                    $0.put(microseconds: 0)
                    $0.put(true)
                    $0.put(asked)
                    $0.put(now)
                    // Samples go on as soon as they arrive: nothing waits between the two indices.
                    $0.put(signed: 0)
                    $0.put(signed: 0)
                }
            ]
        case .readServer:
            return [
                reply {
                    for text in ["mdhost", "", "", ""] { $0.put(text) }
                    $0.putFormat(rate: SoundFeed.rate)
                    for text in ["", ""] { $0.put(text) }
                    $0.put(0)
                }
            ]
        case .readStream: return [reply(describe)]
        case .setStreamVolume:
            _ = try values.number()
            let wanted = Double(try values.volume()) / Self.full
            let new = min(1, wanted)
            // Devices have no level above 100 %.
            let corrected = wanted > 1 ? [reply(), change] : [reply()]
            guard new != level else { return corrected }
            level = new
            return corrected + [.level(new)]
        case .setStreamMuted:
            _ = try values.number()
            let new = try values.bool()
            guard new != isMuted else { return [reply()] }
            isMuted = new
            return [reply(), .muted(new)]
        case .cork:
            _ = try values.number()
            isCorked = try values.bool()
            return [reply()]
        case .setClientName, .subscribe, .setStreamName: return [reply()]
        case .error, .reply, .request, .event, .suspended, nil:
            return [command(.error, tag: tag) { $0.put(Self.notSupported) }]
        }
    }

    private mutating func create(_ values: inout TunnelReader, _ tag: UInt32) throws(TunnelFailure) -> [Event] {
        _ = try values.string()
        let format = try values.format()
        let channels = try values.channels()
        guard !hasStream, format == (3, 2, UInt32(SoundFeed.rate)), channels == TunnelTag.frontLeftAndRight else {
            throw TunnelFailure("the samples have another format")
        }
        // The index and the name of a sink, and the longest queue.
        _ = try values.number()
        _ = try values.string()
        _ = try values.number()
        isCorked = try values.bool()
        hasStream = true
        // A frame: PulseAudio ends itself if nothing is requested (`sink_process_msg`).
        outstanding = SoundFeed.bytesPerFrame
        let size = UInt32(Self.blockSize)
        let created = command(.reply, tag: tag) { [outstanding] in
            for number in [0, 0, UInt32(outstanding), 4 * size, size, 0, size] { $0.put(number) }
        }
        return [created, .begun]
    }

    private func describe(_ values: inout TunnelWriter) {
        values.put(0)
        values.put("")
        for number: UInt32 in [.max, .max, 0] { values.put(number) }
        values.putFormat(rate: SoundFeed.rate)
        values.putChannels()
        values.put(volume: UInt32((level * Self.full).rounded()))
        for time in [0, delay] { values.put(microseconds: time) }
        for text in ["", "mdhost"] { values.put(text) }
        values.put(isMuted)
    }

    /// - Parameter tag: That of the request; none for a command of its own.
    private func command(
        _ command: TunnelCommand, tag: UInt32 = .max, _ fill: (inout TunnelWriter) -> Void
    ) -> Event {
        var writer = TunnelWriter(command, tag: tag)
        fill(&writer)
        return .send(TunnelFrames.frame(writer))
    }
}

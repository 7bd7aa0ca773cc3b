import AirPlayProtocol
import MediaDecoding
import MediaDevice

/// One piece of media on its way to a receiver: opens both, keeps them going, and does what people command.
///
/// What is wanted is kept as state, and one task at a time brings the receiver to it: of ten positions that a slider passes
/// only the last is gone to.
@MainActor
final class AirPlayPlaybackSession {
    enum Report {
        case started
        case ended
        case failed(MediaDeviceError)
        /// The receiver's own level, read at the beginning.
        case level(Float)
        case quality(StreamQuality)
    }

    /// Seconds between sending and playing: what every receiver has room for, and time enough to send again what is lost.
    static let latency = 2.0
    /// Packets that have to be ready before a run begins: a second.
    private static let startAmount = 125
    private static let batch = 32
    private static let rate = Double(StreamDescription.frameRate)

    let control: AirPlayPlaybackControl
    var onReport: (Report) -> Void = { _ in }

    private let address: String
    private let information: MediaOutputSession.MediaInformation?
    private let receiver: Receiver
    private let stopDecoding = DecodingStop()
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private var worker: Task<Void, Never>?
    private var live: Live?
    private var isRunning = false
    private var isStopped = false

    // What is wanted, and what happened.
    private var wantedFrame: Int64?
    private var wantedLevel: Float?
    private var isStalled = false
    private var hasEnded = false
    private var failure: MediaDeviceError?

    /// What has to be known to reach a receiver.
    struct Receiver: Sendable {
        let addresses: [AirPlayAddress]
        let password: String?
        let metadata: Set<AirPlayRecord.Metadata>
        let timeouts: AirPlayTimeouts
        let ports: StreamPorts
    }

    /// Everything that is open while it plays.
    private struct Live {
        let connection: RTSPConnection
        let session: AudioSession
        let sender: StreamSender
        let source: SampleSource
        var feeder: Task<Void, Never>?
        var followers: [Task<Void, Never>] = []
    }

    /// - Parameters:
    ///   - address: What the media is read from.
    ///   - level: What the person asked for before; `nil` leaves the receiver's own.
    init(
        address: String, information: MediaOutputSession.MediaInformation?, receiver: Receiver, level: Float?
    ) {
        self.address = address
        self.information = information
        self.receiver = receiver
        wantedLevel = level
        control = AirPlayPlaybackControl(information: information)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func start() { worker = Task { await run() } }

    /// The level that the receiver is to have, 0 for silence.
    func setLevel(_ level: Float) {
        wantedLevel = level
        wake.yield()
    }

    /// Carries out what a person commands of the playback.
    func perform(_ command: AirPlayPlaybackControl.Command) {
        switch command {
        case .playing, .volume, .muted: break
        case .seek(let seconds): wantedFrame = Int64((seconds * Self.rate).rounded())
        }
        wake.yield()
    }

    /// Ends it; returns once the receiver is let go.
    func stop() async {
        isStopped = true
        stopDecoding.stop()
        wake.finish()
        await live?.sender.close()
        await worker?.value
    }

    // MARK: Its life

    private func run() async {
        do throws(MediaDeviceError) {
            try await begin()
            for await _ in wakes where !isStopped {
                guard try await reconcile() else { break }
            }
            await close(nil)
            if !isStopped { onReport(.ended) }
        } catch {
            await close(error)
            if !isStopped { onReport(.failed(error)) }
        }
    }

    private func begin() async throws(MediaDeviceError) {
        let source = try await Self.media { () async throws(DecodingError) in
            try await SampleSource.open(address, stop: stopDecoding)
        }
        control.opened(source.facts)
        let receiver = receiver
        let live = try await Self.speaker { () async throws(AirPlayError) in
            let connection = try await RTSPConnection.open(
                anyOf: receiver.addresses, password: receiver.password, timeouts: receiver.timeouts)
            let sender = StreamSender(eventLoop: connection.eventLoop, latency: Self.latency)
            do throws(AirPlayError) {
                let session = try await AudioSession(connection)
                let ports = try await sender.open(receiver.ports, at: session.local)
                let transport = try await session.begin(controlPort: ports.control, timingPort: ports.timing)
                await sender.connect(to: session.receiver, transport)
                await sender.setReceiverDelay(try await session.record(await sender.nextPacket))
                return Live(connection: connection, session: session, sender: sender, source: source)
            } catch {
                await sender.close()
                await connection.close()
                throw error
            }
        }
        self.live = live
        follow(live)
        try await settleLevel(live.session)
        let first = (information?.startPosition).map { Int64($0 * Self.rate) } ?? 0
        try await feed(from: source.facts.isSeekable ? first : 0)
        try await play()
        onReport(.started)
        await describe(live)
    }

    /// What happens at the connection and the stream wakes the worker.
    private func follow(_ live: Live) {
        self.live?.followers = [
            Task { [weak self] in
                for await event in live.sender.events { self?.happened(event) }
            },
            Task { [weak self] in
                for await error in live.connection.end { self?.failed(MediaDeviceError(error, .sessionFailed)) }
            },
        ]
    }

    private func happened(_ event: StreamSender.Event) {
        switch event {
        case .stalled: isStalled = true
        case .ended: hasEnded = true
        case .returnPathBlocked(let port):
            return failed(MediaDeviceError(.returnPathBlocked(port: port), .connectionFailed))
        }
        wake.yield()
    }

    private func failed(_ error: MediaDeviceError) {
        failure = failure ?? error
        wake.yield()
    }

    /// Brings the receiver to what is wanted.
    ///
    /// - Returns: `false` once the media is over.
    private func reconcile() async throws(MediaDeviceError) -> Bool {
        guard let live else { return false }
        if let failure { throw failure }
        if let frame = wantedFrame {
            wantedFrame = nil
            try await pause(isBuffering: true)
            control.stands(at: Double(frame) / Self.rate, isBuffering: control.isPlaying)
            try await feed(from: frame)
        } else if hasEnded {
            return false
        }
        if isStalled {
            isStalled = false
            try await pause(isBuffering: true)
        }
        if control.isPlaying, !isRunning { try await play() }
        if !control.isPlaying, isRunning { try await pause(isBuffering: false) }
        if let level = wantedLevel {
            wantedLevel = nil
            try await Self.speaker { () async throws(AirPlayError) in try await live.session.setVolume(level) }
        }
        return true
    }

    private func close(_ error: MediaDeviceError?) async {
        control.finish(error)
        stopDecoding.stop()
        guard let live else { return }
        self.live = nil
        live.feeder?.cancel()
        onReport(.quality(await live.sender.quality))
        await live.sender.close()
        // Whether it hears that is its own affair: the end of the connection tells it as well.
        _ = try? await live.session.end()
        await live.connection.close()
        for follower in live.followers { follower.cancel() }
    }

    // MARK: Steps

    /// Reads the media from there on, in the background.
    private func feed(from frame: Int64) async throws(MediaDeviceError) {
        guard let live else { return }
        await live.sender.stopFeeding()
        await live.feeder?.value
        hasEnded = false
        await live.sender.startFeeding(fromMediaFrame: frame)
        if frame != 0 || live.feeder != nil {
            try await Self.media { () async throws(DecodingError) in try await live.source.seek(toFrame: frame) }
        }
        self.live?.feeder = Task { [weak self] in
            do throws(DecodingError) {
                while await live.sender.room() {
                    let batch = try await live.source.packets(Self.batch)
                    await live.sender.enqueue(batch.packets, isLast: batch.isLast)
                }
            } catch .cancelled {
                // By whom it is ended.
            } catch {
                self?.failed(MediaDeviceError(error))
            }
        }
    }

    private func play() async throws(MediaDeviceError) {
        guard let live else { return }
        guard await live.sender.filled(Self.startAmount), let heard = await live.sender.start() else {
            throw failure ?? MediaDeviceError(.sessionFailed, reason: "Playback was stopped.")
        }
        isRunning = true
        let position = await live.sender.position()
        control.runs(
            from: Double(position.frame) / Self.rate,
            at: CMTime(value: heard.nanoseconds, timescale: 1_000_000_000))
        await tellProgress(live)
    }

    private func pause(isBuffering: Bool) async throws(MediaDeviceError) {
        guard let live, isRunning else { return }
        isRunning = false
        await live.sender.pause()
        let next = await live.sender.nextPacket
        control.stands(at: Double(await live.sender.position().frame) / Self.rate, isBuffering: isBuffering)
        try await Self.speaker { () async throws(AirPlayError) in try await live.session.flush(next) }
    }

    /// The person's level where there is one, else the receiver's is taken over.
    private func settleLevel(_ session: AudioSession) async throws(MediaDeviceError) {
        let wanted = wantedLevel
        wantedLevel = nil
        let read = try await Self.speaker { () async throws(AirPlayError) -> Float? in
            guard let wanted else { return try await session.volume() }
            try await session.setVolume(wanted)
            return nil
        }
        if let read { onReport(.level(read)) }
    }

    /// Tells the receiver what it plays; one that does not care plays it all the same.
    private func describe(_ live: Live) async {
        let facts = live.source.facts
        let timestamp = await live.sender.nextPacket.timestamp
        do throws(AirPlayError) {
            if receiver.metadata.contains(.text) {
                let text = MediaText(
                    title: information?.title ?? facts.title, artist: information?.artist ?? facts.artist,
                    album: facts.album, genre: facts.genre)
                try await live.session.setText(text, from: timestamp)
            }
            if receiver.metadata.contains(.artwork), let picture = facts.picture {
                try await live.session.setPicture(
                    picture.bytes, contentType: picture.contentType, from: timestamp)
            }
        } catch {
            log.info("what plays could not be told", metadata: ["reason": "\(error.sentence)"])
        }
    }

    private func tellProgress(_ live: Live) async {
        guard receiver.metadata.contains(.progress), let duration = live.source.facts.duration else { return }
        let progress = await live.sender.progress(duration: Int64(duration * Self.rate))
        do throws(AirPlayError) {
            try await live.session.setProgress(progress)
        } catch {
            log.info("the progress could not be told", metadata: ["reason": "\(error.sentence)"])
        }
    }

    // MARK: Errors

    private static func speaker<Value: Sendable>(
        _ work: () async throws(AirPlayError) -> Value
    ) async throws(MediaDeviceError) -> Value {
        do {
            return try await work()
        } catch {
            throw MediaDeviceError(error, .sessionFailed)
        }
    }

    private static func media<Value: Sendable>(
        _ work: () async throws(DecodingError) -> Value
    ) async throws(MediaDeviceError) -> Value {
        do {
            return try await work()
        } catch {
            throw MediaDeviceError(error)
        }
    }
}

import AirPlayProtocol
import Foundation
import LiveSound
import MediaDevice
import MediaReading
import NIOPosix
import PlaybackKit

/// The playback of one item on one or several receivers: opens it, feeds the stream, and performs people's commands.
///
/// The requested state is stored, and one task at a time applies it to the receivers. Of ten positions of a slider,
/// only the last is used.
@MainActor
final class AirPlayPlaybackSession {
    enum Report {
        case started
        case ended
        case failed(MediaDeviceError)
        /// A receiver dropped out; the others play on.
        case left(UUID, MediaDeviceError)
        /// A receiver's own level, read when it joined.
        case level(Float, of: UUID)
        /// The key that a person pressed on a receiver.
        case pressed(RemoteCommand, on: UUID)
        case place(PlaybackPlace)
        case measured(StreamQuality)
        /// The final quality.
        case quality(StreamQuality)
    }

    enum Media {
        /// Media that the host reads.
        case media(MediaReaderSource?)
        case samples(MediaSampleReader)
    }

    /// The settings of all playback.
    struct Setting: Sendable {
        var timeouts: AirPlayTimeouts
        var ports: StreamPorts
        var reconnection = ReconnectPolicy()
        /// The remote controls for the receivers' buttons.
        var remotes = SpeakerRemotes()
        /// The interval for requests to a receiver that plays URLs.
        var videoInterval = Duration.seconds(1)
        /// The interval if the receiver also sends events. Kodi sends none for a seek on the device.
        var rareVideoInterval = Duration.seconds(3)
    }

    /// Packets to read before a run begins, and at a time: few of live samples, which gather while the silence before them
    /// is sent. The receiver's buffer makes up for those that come late.
    private var amounts: (start: Int, batch: Int) { if case .samples = media { (1, 6) } else { (125, 32) } }
    static let rate = Double(StreamDescription.frameRate)

    private let presentation: StreamPresentation
    var control: PlayerControl { presentation.control }
    /// The requested state. The receivers follow it.
    private var wantsToPlay: Bool
    var onReport: (Report) -> Void = { _ in }

    let media: Media
    private(set) var information: MediaOutputSession.MediaInformation?
    let setting: Setting
    private let latency: StreamLatency
    let sender: StreamSender
    private let stopReading = ReadingStop()
    private let wakes: AsyncStream<Void>
    let wake: AsyncStream<Void>.Continuation
    private var worker: Task<Void, Never>?
    private var sourceTasks: (feeder: Task<Void, Never>?, follower: Task<Void, Never>?) = (nil, nil)
    private var meter: Task<Void, Never>?
    private(set) var source: (any SampleSource)?
    private(set) var isRunning = false
    private(set) var isStopped = false

    // The speakers of the session; see AirPlayPlaybackSession+Speakers.
    var speakers: [Speaker]
    var links: [UUID: SpeakerLink] = [:]
    var arrivals: [UUID: Task<Void, Never>] = [:]
    var arrived: [UUID: Result<SpeakerLink, AirPlayError>] = [:]
    var lost: [UUID: AirPlayError] = [:]
    var followers: [UUID: Task<Void, Never>] = [:]
    /// Ends a wait before the next attempt to reach the only receiver.
    var pause: Task<Void, Never>?

    // Pending requests, and the events so far.
    private var wantedFrame: Int64?
    var wantedLevels: [UUID: Float] = [:]
    private var hasNewInformation = false
    private var isStalled = false
    private var hasEnded = false
    private var failure: MediaDeviceError?
    private let firstFrame: Int64?

    /// Creates a playback.
    ///
    /// - Parameters:
    ///   - media: The media.
    ///   - speakers: One or more receivers.
    ///   - place: The place at which to continue; `nil` to start as ``information`` says.
    ///   - wish: A function that receives people's requests.
    init(
        _ media: Media, information: MediaOutputSession.MediaInformation?, speakers: [Speaker],
        place: PlaybackPlace? = nil, setting: Setting, wish: @escaping @MainActor (PlayerWish) -> Void
    ) {
        self.media = media
        self.information = information
        self.speakers = speakers
        self.setting = setting
        if case .samples(let reader) = media {
            latency = StreamLatency(requested: reader.requestedLatency)
        } else {
            latency = StreamLatency()
        }
        sender = StreamSender(eventLoop: AirPlayTransport.group.next(), latency: latency.seconds)
        firstFrame = place?.frame(at: StreamSender.now)
        wantsToPlay = place?.isPlaying ?? true
        presentation = StreamPresentation(information, wish: wish)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func start() { worker = Task { await run() } }

    /// Sets the volume of a receiver, 0 for silence.
    func setLevel(_ level: Float, of id: UUID) {
        wantedLevels[id] = level
        wake.yield()
    }

    /// Sets the receivers that play from now on.
    func setSpeakers(_ speakers: [Speaker]) {
        self.speakers = speakers
        wake.yield()
    }

    /// Shows other information about the media on the receivers.
    func show(_ information: MediaOutputSession.MediaInformation?) {
        guard information != self.information else { return }
        self.information = information
        presentation.describe(information)
        hasNewInformation = true
        wake.yield()
    }

    /// Performs a person's request.
    func perform(_ wish: PlayerWish) {
        switch wish {
        case .setPlaying(let isPlaying): wantsToPlay = isPlaying
        case .seek(let seconds): wantedFrame = Int64((seconds * Self.rate).rounded())
        default: control.settle([wish.kind])
        }
        wake.yield()
    }

    /// Ends it; returns once the receivers are let go.
    func stop() async {
        isStopped = true
        stopReading.stop()
        wake.finish()
        pause?.cancel()
        await sender.close()
        await worker?.value
    }

    func failed(_ error: MediaDeviceError) {
        failure = failure ?? error
        wake.yield()
    }

    // MARK: Its life

    private func run() async {
        do throws(MediaDeviceError) {
            if try await begin() {
                for await _ in wakes where !isStopped {
                    guard try await reconcile() else { break }
                }
            }
            await close(nil)
            if !isStopped { onReport(.ended) }
        } catch {
            await close(error)
            if !isStopped { onReport(.failed(error)) }
        }
    }

    /// Opens the media and starts the stream.
    ///
    /// - Returns: `false` if the media has already ended.
    private func begin() async throws(MediaDeviceError) -> Bool {
        let source = try await open()
        self.source = source
        presentation.opened(source.facts)
        let wanted = firstFrame ?? (information?.startPosition).map { Int64($0 * Self.rate) } ?? 0
        let end = source.facts.duration.map { Int64($0 * Self.rate) }
        // A resumed playback may have ended meanwhile.
        if firstFrame != nil, let end, wanted >= end { return false }
        sourceTasks.follower = Task { [weak self, sender] in
            for await event in sender.events { self?.happened(event) }
        }
        try await gather()
        try await feed(from: source.facts.isSeekable ? wanted : 0)
        if wantsToPlay { try await play() } else { stands(at: wanted) }
        onReport(.started)
        meter = measure()
        hasNewInformation = false
        for link in links.values { await describe(to: link) }
        wake.yield()
        return true
    }

    private func open() async throws(MediaDeviceError) -> any SampleSource {
        switch media {
        case .samples(let reader): DeliveredSource(reader)
        case .media(let source):
            try await Self.media { () async throws(DecodingError) in
                try await DecodedSource.open(source, rate: StreamDescription.frameRate, stop: stopReading)
            }
        }
    }

    private func happened(_ event: StreamSender.Event) {
        switch event {
        case .stalled: isStalled = true
        case .ended: hasEnded = true
        case .returnPathBlocked(let id, let port): lost[id] = lost[id] ?? .returnPathBlocked(port: port)
        }
        wake.yield()
    }

    /// Applies the requested state to the receivers.
    ///
    /// - Returns: `false` after the end of the media.
    private func reconcile() async throws(MediaDeviceError) -> Bool {
        if let failure { throw failure }
        try await settleSpeakers()
        guard !isStopped else { return false }
        if let frame = wantedFrame {
            wantedFrame = nil
            try await halt()
            stands(at: frame)
            try await feed(from: frame)
        } else if hasEnded {
            return false
        }
        if isStalled {
            isStalled = false
            try await halt()
        }
        if wantsToPlay, !isRunning { try await play() }
        if !wantsToPlay, isRunning { try await halt() }
        if hasNewInformation {
            hasNewInformation = false
            for link in links.values { await describe(to: link) }
        }
        for (id, level) in wantedLevels where links[id] != nil {
            wantedLevels[id] = nil
            await ask(id) { session throws(AirPlayError) in try await session.setVolume(level) }
        }
        return true
    }

    private func close(_ error: MediaDeviceError?) async {
        control.finish(error)
        stopReading.stop()
        sourceTasks.feeder?.cancel()
        sourceTasks.follower?.cancel()
        meter?.cancel()
        if let quality = StreamQuality(await sender.quality.values) { onReport(.quality(quality)) }
        await letGo()
        await sender.close()
    }

    // MARK: Steps

    /// Reads the media from there on, in the background.
    private func feed(from frame: Int64) async throws(MediaDeviceError) {
        guard let source else { return }
        await sender.stopFeeding()
        await sourceTasks.feeder?.value
        hasEnded = false
        await sender.startFeeding(fromMediaFrame: frame)
        if frame != 0 || sourceTasks.feeder != nil {
            try await Self.media { () async throws(DecodingError) in try await source.seek(toFrame: frame) }
        }
        sourceTasks.feeder = Task { [weak self, sender, amounts] in
            do throws(DecodingError) {
                while await sender.room() {
                    let batch = try await source.packets(amounts.batch)
                    await sender.enqueue(batch.packets, isLast: batch.isLast)
                }
            } catch .cancelled {
                // The task that cancels it also reports the end.
            } catch {
                self?.failed(MediaDeviceError(error))
            }
        }
    }

    private func play() async throws(MediaDeviceError) {
        guard await sender.filled(amounts.start), let heard = await sender.start() else {
            throw failure ?? MediaDeviceError(.sessionFailed, reason: "Playback was stopped.")
        }
        isRunning = true
        let frame = await sender.position().frame
        presentation.show(frame, at: Double(heard.nanoseconds) / 1e9, isPlaying: wantsToPlay, isBuffering: false)
        onReport(.place(PlaybackPlace(frame: frame, time: heard, isPlaying: true)))
        for link in links.values { await tellProgress(to: link) }
    }

    /// Stops the receivers at the listener's position. Packets that were sent but not played are kept.
    func halt() async throws(MediaDeviceError) {
        guard isRunning else { return }
        isRunning = false
        await sender.pause()
        let next = await sender.nextPacket
        let (frame, time) = await sender.position()
        stands(at: frame)
        onReport(.place(PlaybackPlace(frame: frame, time: time, isPlaying: false)))
        for id in links.keys { await ask(id) { session throws(AirPlayError) in try await session.flush(next) } }
    }

    /// Shows that playback stands at a frame: paused, or about to go on.
    private func stands(at frame: Int64) {
        presentation.show(
            frame, at: CMClockGetTime(.hostTimeClock).seconds, isPlaying: wantsToPlay, isBuffering: wantsToPlay)
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

import AirPlayProtocol
import Foundation
import Logging
import MediaDevice
import PlaybackKit

/// The playback of one URL by a receiver itself: starts it, follows it, and performs people's commands.
///
/// The requested state is stored, and one task at a time applies it to the receiver, as for live streams.
@MainActor
final class VideoPlayback {
    enum Report {
        case started
        case ended
        case failed(MediaDeviceError)
        /// The data for adoption.
        case begun(VideoPlace)
    }

    /// The playback of an earlier process.
    struct VideoPlace: Codable, Sendable, Hashable {
        /// The session identifier of its requests.
        var session: String

        init(session: String) { self.session = session }

        /// - Returns: `nil` for anything else than ``data``.
        init?(_ data: Data) {
            guard let place = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
            self = place
        }

        var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }
    }

    let control: PlayerControl
    var onReport: (Report) -> Void = { _ in }

    private let address: String
    private let requests: VideoRequests
    private let isAdopted: Bool
    private let setting: AirPlayPlaybackSession.Setting
    private var access: ReceiverAccess
    private var session: VideoSession?
    private var events: VideoEventConnection?
    private var follower: Task<Void, Never>?
    private var asksForEvents = true
    private var tracker: VideoTracker
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private var worker: Task<Void, Never>?
    private var isStopped = false
    private(set) var hasStarted = false

    // Pending requests.
    private var wantsToPlay: Bool?
    private var wantedPosition: Double?
    private var wantedLevel: Float?

    /// - Parameters:
    ///   - address: An address that the receiver can open.
    ///   - place: The state left by an earlier process; `nil` to start from the beginning.
    ///   - wish: A function that receives people's requests.
    init(
        address: String, information: MediaOutputSession.MediaInformation?, access: ReceiverAccess,
        place: VideoPlace? = nil, setting: AirPlayPlaybackSession.Setting,
        wish: @escaping @MainActor (PlayerWish) -> Void
    ) {
        self.address = address
        self.access = access
        self.setting = setting
        isAdopted = place != nil
        requests = VideoRequests(session: place?.session ?? UUID().uuidString)
        control = PlayerControl(information, wish: wish)
        tracker = VideoTracker(now: Self.now)
        if place == nil, let start = information?.startPosition, start > 0 { wantedPosition = start }
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private static var now: Double { CMClockGetTime(.hostTimeClock).seconds }

    func start() { worker = Task { await run() } }

    /// Sets the receiver's new address.
    func moved(to access: ReceiverAccess) { self.access = access }

    func setLevel(_ level: Float) {
        wantedLevel = level
        wake.yield()
    }

    /// Performs a person's request.
    func perform(_ wish: PlayerWish) {
        switch wish {
        case .setPlaying(let isPlaying): wantsToPlay = isPlaying
        case .seek(let seconds): wantedPosition = seconds
        default: control.settle([wish.kind])
        }
        wake.yield()
    }

    /// Ends it; returns once the receiver is let go.
    func stop() async {
        isStopped = true
        wake.finish()
        await worker?.value
    }

    // MARK: Its life

    private func run() async {
        var failure: MediaDeviceError?
        do throws(AirPlayError) {
            try await begin()
            while !isStopped, !tracker.isOver {
                await rest(delay)
                if !isStopped { try await turn() }
            }
        } catch {
            failure = MediaDeviceError(error, .sessionFailed)
        }
        if case .failed(let sentence) = tracker.phase {
            failure = failure ?? MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: sentence)
        }
        if !tracker.isOver || isStopped { await letGo() }
        await session?.close()
        await stopListening()
        control.finish(failure)
        guard !isStopped else { return }
        onReport(failure.map { .failed($0) } ?? .ended)
    }

    /// Stops the receiver, over another connection if this one was lost, because the receiver continues without it.
    private func letGo() async {
        guard let session else { return }
        do throws(AirPlayError) {
            try await session.stop()
        } catch {
            guard error.canPass else { return }
            await session.close()
            _ = try? await connect().stop()
        }
    }

    private func begin() async throws(AirPlayError) {
        let session = try await connect()
        // Before playback: Kodi sends events only to connections that already listen.
        await listen()
        tracker = VideoTracker(now: Self.now, isAdopted: isAdopted)
        if !isAdopted {
            try await session.play(address)
            onReport(.begun(VideoPlace(session: requests.session)))
        }
        apply(try await session.information())
    }

    private func connect() async throws(AirPlayError) -> VideoSession {
        let session = VideoSession(try await access.open(setting.timeouts), requests)
        self.session = session
        return session
    }

    /// The delay until the next poll if no event comes before.
    private var delay: Duration {
        let (usual, rare) = (setting.videoInterval / .seconds(1), setting.rareVideoInterval / .seconds(1))
        return .seconds(tracker.delay(at: Self.now, usual: usual, rare: rare))
    }

    /// Waits that long, or until there is work.
    private func rest(_ duration: Duration) async {
        let alarm = Task { [wake] in
            if (try? await Task.sleep(for: duration)) != nil { wake.yield() }
        }
        for await _ in wakes { break }
        alarm.cancel()
    }

    /// Applies the requested state to the receiver, and then reads its state.
    private func turn() async throws(AirPlayError) {
        guard let session else { return }
        do throws(AirPlayError) {
            if hasStarted { try await obey(session) }
            apply(try await session.information())
        } catch {
            guard error.canPass, !isStopped else { throw error }
            try await reach(error)
        }
    }

    private func obey(_ session: VideoSession) async throws(AirPlayError) {
        if let seconds = wantedPosition, tracker.isSeekable {
            wantedPosition = nil
            try await session.seek(to: seconds)
            tracker.sought(to: seconds, at: Self.now)
        }
        if let isPlaying = wantsToPlay {
            wantsToPlay = nil
            try await session.setPlaying(isPlaying)
            tracker.commanded(isPlaying: isPlaying, at: Self.now)
            show()
        }
        if let level = wantedLevel {
            wantedLevel = nil
            // A receiver may have no level of its own.
            _ = try? await session.setVolume(level)
        }
    }

    /// Reconnects to the receiver, which continues meanwhile, or has ended.
    private func reach(_ first: AirPlayError) async throws(AirPlayError) {
        await session?.close()
        control.connectionLost()
        var error = first
        var schedule = ReconnectPolicy.Schedule(setting.reconnection)
        let loss = ContinuousClock.now
        while error.canPass, !isStopped {
            guard let delay = schedule.next(elapsed: loss.duration(to: .now)) else { break }
            let end = ContinuousClock.now + delay
            while !isStopped, ContinuousClock.now < end { await rest(end - ContinuousClock.now) }
            guard !isStopped else { return }
            do throws(AirPlayError) {
                let session = try await connect()
                await listen()
                control.connectionReturned()
                apply(try await session.information())
                return
            } catch let failure {
                error = failure
            }
        }
        guard !isStopped else { return }
        throw error
    }

    // MARK: Events of the receiver

    /// Requests events from the receiver if it supports them. Its state is polled all the same.
    private func listen() async {
        await stopListening()
        guard asksForEvents, !isStopped else { return }
        do throws(AirPlayError) {
            let opened = try await VideoEventConnection.open(access, requests, setting.timeouts)
            events = opened
            follower = Task { [weak self] in
                for await event in opened.events { self?.heard(event) }
                if !Task.isCancelled { self?.hearsNothing() }
            }
        } catch {
            switch error {
            case .refused, .timedOut: asksForEvents = false
            default: break
            }
            log.debug("it is asked what it does", metadata: ["reason": "\(error.sentence)"])
        }
    }

    private func stopListening() async {
        follower?.cancel()
        await events?.close()
        events = nil
        tracker.tellsNothing()
    }

    private func heard(_ event: VideoEvent) {
        guard event.session.map({ $0.lowercased() == requests.session.lowercased() }) ?? true else { return }
        tracker.told(event, at: Self.now)
        wake.yield()
    }

    private func hearsNothing() {
        log.info("it tells nothing by itself any more, and is asked what it does")
        tracker.tellsNothing()
        wake.yield()
    }

    // MARK: Showing

    private func apply(_ information: PlaybackInformation) {
        tracker.apply(information, at: Self.now)
        show()
        guard !hasStarted, !tracker.isOver, tracker.phase != .loading else { return }
        hasStarted = true
        onReport(.started)
        wake.yield()
    }

    private func show() {
        guard tracker.phase != .loading, !tracker.isOver else { return }
        let isPlaying = tracker.phase == .playing
        var snapshot = PlaybackSnapshot(
            isPlaying: isPlaying, position: tracker.position.value, time: tracker.position.time,
            duration: tracker.duration)
        snapshot.positionTolerance = 0
        snapshot.isBuffering = tracker.isWaiting
        snapshot.isLive = tracker.duration == nil
        snapshot.canSeek = tracker.isSeekable
        control.update(snapshot)
        // A pending request takes precedence over an older state.
        if wantsToPlay == nil { control.settle([.playing]) }
        if wantedPosition == nil { control.settle([.position]) }
    }
}

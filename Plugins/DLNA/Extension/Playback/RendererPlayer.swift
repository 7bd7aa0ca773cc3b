import Backoff
import DLNAProtocol
import Foundation
import PlaybackKit

/// A renderer in use.
///
/// Its events tell most changes. Questions correct the position and find a lost device; without events they are the
/// only source.
@MainActor
final class RendererPlayer: RemotePlayer {
    nonisolated let events: AsyncStream<PlayerEvent>
    let network: RendererNetwork
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private(set) var details: RendererDetails
    private(set) var client: RendererClient
    private var level: RendererLevel
    private lazy var subscriptions = RendererEvents(network: network) { [weak self] in self?.handle($0) }
    private var refresher: StateRefresher?
    var playback: RendererPlayback?
    /// Answers to questions asked before the last command are about the past.
    private var generation = 0
    private var failures = 0
    private var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(30))
    private var isLevelDue = false
    private var isLost = false

    private static let startChecks = 3
    private static let startCheckPause = Duration.seconds(1)

    init(_ details: RendererDetails, network: RendererNetwork) {
        self.details = details
        self.network = network
        client = RendererClient(details.description, transport: network.transport)
        level = RendererLevel(details)
        (events, sink) = PlayerEvent.makeStream()
    }

    var now: Double { network.time.seconds }

    // MARK: Connection

    /// Checks that the device is available, reads its volume, and subscribes to its events.
    ///
    /// - Throws: ``DeviceFailure`` if it doesn't answer as a renderer.
    func activate() async throws(DeviceFailure) {
        _ = try await client.transportInfo()
        await readLevel()
        await subscriptions.start(details.description)
        refresher = StateRefresher(clock: network.clock) { [weak self] in await self?.refresh() }
    }

    /// The device came back, perhaps elsewhere.
    func moved(to details: RendererDetails) async {
        self.details = details
        client = RendererClient(details.description, transport: network.transport)
        await subscriptions.start(details.description)
        handle(.resynchronize)
    }

    func close() async {
        playback = nil
        refresher?.stop()
        sink.finish()
        // A lost device would keep its reconnection waiting.
        if isLost { Task { await subscriptions.stop() } } else { await subscriptions.stop() }
    }

    /// The kit connects again.
    private func lose() {
        isLost = true
        sink.finish()
    }

    // MARK: Playback

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        replacePlayback(nil)
        do {
            try await begin(media, as: run)
        } catch {
            // Of a cancelled one the kit requests the stop.
            if !Task.isCancelled { replacePlayback(nil) }
            throw MediaDeviceError(opening: error)
        }
        return Data(String(now).utf8)
    }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        let startedAt = token.flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? now
        do {
            return resume(media, try await loadedMedia(startedAt: startedAt), as: run)
        } catch {
            throw MediaDeviceError(opening: error)
        }
    }

    func stop(_ run: PlaybackRun) async {
        guard let ours = playback, ours.run == run else { return }
        replacePlayback(nil)
        // Another controller may play something else by now.
        if let loaded = try? await client.mediaURI(), !loaded.isEmpty, !ours.tracker.isMedia(loaded) { return }
        try? await client.stop()
    }

    func replacePlayback(_ new: RendererPlayback?) {
        playback = new
        generation += 1
    }

    private func resume(_ media: PlayableMedia, _ loaded: LoadedMedia, as run: PlaybackRun) -> Bool {
        let facts = MediaFacts.guessing(media.url, declared: media.contentType)
        var new = RendererPlayback(media, facts, as: run, now: now)
        guard new.tracker.isMedia(loaded.uri), !loaded.isStopped, !loaded.info.hasFailed else { return false }
        // The requested start position is obsolete by now.
        new.pendingStart = nil
        new.tracker.playAccepted(at: now)
        new.tracker.apply(TransportChange(state: loaded.info.state, uri: loaded.uri), at: now)
        new.tracker.apply(loaded.position, at: now)
        replacePlayback(new)
        reportFromNowOn()
        return true
    }

    /// The device has accepted to play.
    func reportFromNowOn() {
        playback?.isAccepted = true
        apply { _ in }
        refresher?.request()
    }

    // MARK: Wishes

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        do throws(DeviceFailure) {
            switch wish {
            case .setPlaying(let isPlaying):
                try await command { (client) async throws(DeviceFailure) in
                    if isPlaying { try await client.play() } else { try await client.pause() }
                }
                await ask()
            case .seek(let position):
                playback?.hasOwnPosition = true
                try await seek(to: position)
                await ask()
            case .setVolume(let volume): try await setVolume(volume)
            case .changeVolume(let steps): try await setVolume(Double(level.volume ?? 0) + 0.05 * Double(steps))
            case .setMuted(let isMuted): try await setMuted(isMuted)
            case .setSpeed, .scan, .selectAudio, .selectAudioDescription, .selectSubtitles:
                throw .fault(UPnPFault(code: 602))
            }
        } catch {
            // After a connection is made again the kit repeats it.
            if error.isSilence { lose() } else { await readLevel() }
            throw MediaDeviceError(error)
        }
    }

    private func command(
        _ action: (RendererClient) async throws(DeviceFailure) -> Void
    ) async throws(DeviceFailure) {
        guard playback != nil else { return }
        generation += 1
        defer { generation += 1 }
        try await action(client)
    }

    private func seek(to seconds: Double) async throws(DeviceFailure) {
        guard let unit = details.seekUnit else { return }
        try await command { (client) async throws(DeviceFailure) in try await client.seek(to: seconds, unit: unit) }
        apply { [now] in $0.sought(to: seconds, at: now) }
    }

    /// Moves to the position at which playback has to begin, and checks whether it really did. gmediarender confirms a
    /// seek right after Play, but still plays from the beginning.
    private func begin(at start: Double, of run: PlaybackRun) async {
        try? await seek(to: start)
        for _ in 0..<Self.startChecks {
            guard (try? await network.time.sleep(Self.startCheckPause)) != nil else { return }
            await ask()
            guard let playback, playback.run == run, !playback.hasOwnPosition, playback.tracker.phase == .playing,
                playback.tracker.position(at: now) < start - 1
            else { return }
            try? await seek(to: start)
        }
    }

    // MARK: Level

    private func setVolume(_ volume: Double) async throws(DeviceFailure) {
        guard let scale = details.volume else { throw .noService("RenderingControl") }
        let raw = scale.raw(of: Float(volume))
        try await client.setVolume(raw)
        take(RenderingChange(volume: raw))
    }

    private func setMuted(_ isMuted: Bool) async throws(DeviceFailure) {
        guard details.canMute, isMuted != level.isMuted else { return }
        let before = level.volume
        // First, for renderers that report volume zero with it.
        take(RenderingChange(isMuted: isMuted))
        try await client.setMute(isMuted)
        // Some renderers come out of mute at zero.
        guard !isMuted, let scale = details.volume, let before, before > 0,
            try await client.volume() <= scale.range.minimum
        else { return }
        try await client.setVolume(scale.raw(of: before))
    }

    /// Reads the level from the device. Values without an answer don't change.
    private func readLevel() async {
        let volume = details.volume == nil ? nil : try? await client.volume()
        let isMuted = details.canMute ? try? await client.isMuted() : nil
        take(RenderingChange(volume: volume, isMuted: isMuted))
    }

    private func take(_ change: RenderingChange) {
        level.apply(change)
        sink.yield(.level(level.shown))
    }

    // MARK: Changes of the device

    func handle(_ event: RendererEvents.Event) {
        switch event {
        case .transport(let change) where playback?.tracker.isDoubtful(change, at: now) == true: refresher?.request()
        case .transport(let change): apply { [now] in $0.apply(change, at: now) }
        case .rendering(let change): take(change)
        case .resynchronize:
            isLevelDue = true
            refresher?.request()
        }
    }

    /// - Returns: The pause until the next questions; `nil` without playback.
    private func refresh() async -> Duration? {
        if isLevelDue {
            isLevelDue = false
            await readLevel()
        }
        await ask()
        guard !isLost, let tracker = playback?.tracker else { return nil }
        if failures > 0 { return backoff.next() }
        return .seconds(tracker.pause(at: now, hasEvents: subscriptions.areArriving))
    }

    private func ask() async {
        guard playback != nil else { return }
        let asked = generation
        do throws(DeviceFailure) {
            let info = try await client.transportInfo()
            failures = 0
            backoff.reset()
            guard asked == generation else { return }
            apply { [now] in $0.apply(info, at: now) }
            guard asked == generation else { return }
            let position = try await client.positionInfo()
            guard asked == generation else { return }
            apply { [now] in $0.apply(position, at: now) }
        } catch {
            guard error != .cancelled else { return }
            failures += 1
            // A single lost answer doesn't mean a lost device.
            if error.isSilence, failures > 1 { lose() }
        }
    }

    private func apply(_ change: (inout PlaybackTracker) -> Void) {
        guard var ours = playback else { return }
        change(&ours.tracker)
        ours.update(canSeek: details.seekUnit != nil, now: now)
        playback = ours
        guard ours.isAccepted else { return }
        sink.yield(.playback(ours.snapshot, of: ours.run))
        if case .finished(let ending) = ours.tracker.phase {
            replacePlayback(nil)
            sink.yield(.ended(PlaybackEnding(ending), of: ours.run))
        } else if ours.tracker.phase == .playing, let start = ours.pendingStart {
            playback?.pendingStart = nil
            Task { [run = ours.run] in await begin(at: start, of: run) }
        }
    }
}

import DLNAProtocol
import Foundation
import MediaDevice

/// The playback of one item on one renderer, from the offer to its end.
@MainActor
final class RendererSession {
    /// A report for the host. `started` comes first or not at all, one of the others at most once.
    enum Report {
        case started(RendererPlaybackControl)
        /// Played to its end, stopped on the device, or replaced by another controller.
        case ended
        case failed(MediaDeviceError)
    }

    /// Seconds without any answer after which the session is given up.
    static let silenceLimit = 60.0

    private let renderer: Renderer
    private let url: URL
    private let information: MediaOutputSession.MediaInformation?
    private let report: (Report) -> Void
    private var tracker: PlaybackTracker
    private var control: RendererPlaybackControl?
    private var offered: MediaOffer?
    private var hasVideo = false
    private var task: Task<Void, Never>?
    private var isOver = false
    private var wasOffered = false
    private var pendingStart: Double?
    /// Answers to questions asked before the last command are about the past.
    private var generation = 0
    private var silentSince: Double?
    private var failures = 0
    /// The person moved to another place than where playback was to begin.
    private var hasOwnPosition = false
    /// The time at which the device accepted to play.
    private(set) var startedAt: Double?

    private static let startChecks = 3
    private static let startCheckPause = Duration.seconds(1)

    init(
        _ renderer: Renderer, url: URL, information: MediaOutputSession.MediaInformation?,
        report: @escaping (Report) -> Void
    ) {
        self.renderer = renderer
        self.url = url
        self.information = information
        self.report = report
        let start = information?.startPosition ?? 0
        pendingStart = start > 0 && start.isFinite ? start : nil
        tracker = PlaybackTracker(
            uri: url.absoluteString, duration: information?.duration, now: renderer.network.time.seconds)
    }

    func start() {
        run { try await self.begin() }
    }

    /// Adopts the playback of an earlier process, if the device still plays it or has it paused. The device isn't
    /// changed.
    ///
    /// - Parameter startedAt: The time at which the device accepted to play, on the same clock; `nil` if unknown.
    func adopt(startedAt: Double?) {
        run { try await self.resume(startedAt ?? self.now) }
    }

    private func run(_ opening: @escaping @MainActor () async throws -> Void) {
        renderer.session = self
        task = Task {
            do {
                try await opening()
                await follow()
            } catch let error as MediaDeviceError {
                end(.failed(error))
            } catch let failure as DeviceFailure {
                end(.failed(MediaDeviceError(failure)))
            } catch {
                end(nil)
            }
        }
    }

    /// Stops the device if it still plays this item, without a further report.
    func stop() async {
        end(nil)
        renderer.commands.cancel()
        await task?.value
        guard wasOffered, !tracker.isFinished else { return }
        tracker.stopAsked()
        if let loaded = try? await renderer.client.mediaURI(), !loaded.isEmpty, !tracker.isMedia(loaded) { return }
        try? await renderer.client.stop()
    }

    // MARK: Beginning

    private func begin() async throws {
        let facts: MediaFacts
        do {
            facts = try await MediaFacts.reading(
                url, declared: information?.contentType, transport: renderer.network.transport)
        } catch {
            throw MediaDeviceError(error)
        }
        if let mimeType = facts.mimeType {
            hasVideo = MIMEType.family(MIMEType.bare(mimeType)) == "video"
            if renderer.details.formats.answer(for: mimeType) == .unlisted {
                throw MediaDeviceError.unsupported(mimeType, by: renderer.name, renderer.details.formats)
            }
        }
        try Task.checkCancellation()
        try await offer(MediaOffer(url: url, facts: facts, information: information))
        try Task.checkCancellation()
        tracker.playRequested(at: now)
        try await renderer.client.playWhenReady(by: renderer.network.time)
        try Task.checkCancellation()
        tracker.playAccepted(at: now)
        startedAt = now
        tellStart()
    }

    /// A Boolean value that indicates whether the device accepted to play so recently that it may still report
    /// `stopped`. It is `false` after a restart of this computer, which resets the clock.
    private var isJustStarting: Bool {
        startedAt.map { (0..<PlaybackTracker.startPatience).contains(now - $0) } ?? false
    }

    private func tellStart() {
        let control = RendererPlaybackControl(position: position) { [weak self] in self?.perform($0) }
        self.control = control
        showVolume()
        control.show(metadata)
        show(.position)
        if !tracker.isFinished { report(.started(control)) }
        finishIfOver()
    }

    private func resume(_ started: Double) async throws {
        startedAt = started
        // The requested start position is obsolete by now.
        pendingStart = nil
        var loaded = try await renderer.client.loadedMedia()
        while loaded.isStopped, isJustStarting {
            try await renderer.network.time.sleep(RendererClient.playPause)
            loaded = try await renderer.client.loadedMedia()
        }
        guard tracker.isMedia(loaded.uri), !loaded.isStopped, !loaded.info.hasFailed else { return end(.ended) }
        try Task.checkCancellation()
        let facts = MediaFacts.guessing(url, declared: information?.contentType)
        hasVideo = facts.mimeType.map { MIMEType.family(MIMEType.bare($0)) == "video" } ?? false
        offered = MediaOffer(url: url, facts: facts, information: information)
        wasOffered = true
        tracker.playAccepted(at: now)
        _ = tracker.apply(TransportChange(state: loaded.info.state, uri: loaded.uri), at: now)
        _ = tracker.apply(loaded.position, at: now)
        tellStart()
    }

    private func offer(_ media: MediaOffer) async throws(DeviceFailure) {
        // Some keep up a failed or running playback when they only get a new address.
        let before = try await renderer.client.transportInfo().state
        if ![.stopped, .noMediaPresent].contains(before) { try? await renderer.client.stop() }
        wasOffered = true
        offered = media
        do {
            try await renderer.client.setURI(media.uri, metadata: media.metadata)
        } catch {
            guard case .fault(let fault) = error else { throw error }
            switch fault.code {
            case 701, 705:
                // Some take a new address only when stopped.
                try? await renderer.client.stop()
                try await renderer.client.setURI(media.uri, metadata: media.metadata)
            case 402, 501, 600, 605:
                // Some choke on any description.
                try await renderer.client.setURI(media.uri, metadata: "")
            default: throw error
            }
        }
    }

    // MARK: Following

    func apply(_ change: TransportChange) {
        silentSince = nil
        show(tracker.apply(change, at: now))
    }

    /// Asks the device for everything, as events may have been missed.
    func resynchronize() async { await ask() }

    private func follow() async {
        while !isOver, !Task.isCancelled {
            let remaining = tracker.duration.map { $0 - tracker.position(at: now) }
            let pause =
                failures > 0
                ? PollSchedule.backOff(failures: failures)
                : PollSchedule.pause(phase: tracker.phase, remaining: remaining, hasEvents: renderer.hasEvents)
            guard (try? await renderer.network.time.sleep(.seconds(pause))) != nil, !isOver else { return }
            await ask()
        }
    }

    private func ask() async {
        guard !isOver, wasOffered else { return }
        let asked = generation
        do throws(DeviceFailure) {
            let info = try await renderer.client.transportInfo()
            hear()
            guard asked == generation, !isOver else { return }
            show(tracker.apply(info, at: now))
            guard !isOver else { return }
            let position = try await renderer.client.positionInfo()
            guard asked == generation, !isOver else { return }
            show(tracker.apply(position, at: now))
        } catch {
            miss(error)
        }
    }

    private func hear() {
        failures = 0
        silentSince = nil
        if control?.error != nil { control?.error = nil }
    }

    private func miss(_ failure: DeviceFailure) {
        guard failure != .cancelled, !isOver else { return }
        failures += 1
        guard failure.isSilence else { return }
        let since = silentSince ?? now
        silentSince = since
        let error = MediaDeviceError(failure)
        // A single lost answer doesn't mean a lost device.
        if failures > 1 { control?.error = error }
        if now - since > Self.silenceLimit { end(.failed(error)) }
    }

    // MARK: Commands

    private func perform(_ command: RendererPlaybackControl.Command) {
        guard !isOver else { return }
        switch command {
        case .play: submit(.playing) { try await $0.play() }
        case .pause: submit(.playing) { try await $0.pause() }
        case .seek(let seconds):
            hasOwnPosition = true
            seek(to: seconds)
        case .setVolume(let level): renderer.volume.set(level)
        case .setMuted(let isMuted): renderer.volume.setMuted(isMuted)
        }
    }

    private func seek(to seconds: Double) {
        guard let unit = renderer.details.seekUnit else { return }
        submit(.seek) { [weak self] client in
            try await client.seek(to: seconds, unit: unit)
            guard let self else { return }
            show(tracker.sought(to: seconds, at: now))
        }
    }

    /// Checks whether playback really began at `start`. gmediarender confirms a seek right after Play, but still plays
    /// from the beginning.
    private func holdStart(_ start: Double) async {
        for _ in 0..<Self.startChecks {
            guard (try? await renderer.network.time.sleep(Self.startCheckPause)) != nil else { return }
            await ask()
            guard !isOver, !hasOwnPosition, tracker.phase == .playing, tracker.position(at: now) < start - 1 else {
                return
            }
            seek(to: start)
        }
    }

    private func submit(
        _ kind: CommandQueue.Kind, _ action: @escaping @MainActor (RendererClient) async throws -> Void
    ) {
        generation += 1
        renderer.commands.submit(kind) { [weak self] in
            guard let self, !isOver else { return }
            let insisted: Void? = try? await renderer.commands.insist(kind) {
                guard !self.isOver else { return }
                try await action(self.renderer.client)
            }
            let succeeded = insisted != nil
            generation += 1
            // Don't show a refused command as done.
            if !succeeded { control?.showIntent(tracker.phase == .playing || tracker.phase == .buffering) }
            await ask()
        }
    }

    // MARK: Showing

    private var now: Double { renderer.network.time.seconds }

    private var position: AVPlaybackUserInterfacePlaybackPosition {
        AVPlaybackUserInterfacePlaybackPosition(
            position: CMTime(hostSeconds: tracker.position.value), hostTime: CMTime(hostSeconds: tracker.position.time),
            rate: Float(tracker.position.rate))
    }

    private var metadata: AVPlaybackUserInterfaceContentMetadata {
        AVPlaybackUserInterfaceContentMetadata([tracker.metadata, offered?.metadata], hasVideo: hasVideo)
    }

    func showVolume() {
        control?.show(
            level: renderer.volume.level, isMuted: renderer.volume.isMuted, hasAudio: renderer.details.volume != nil,
            canMute: renderer.details.canMute)
    }

    private func show(_ changes: PlaybackTracker.Changes) {
        control?.show(tracker, changes: changes, canSeek: renderer.details.seekUnit != nil, now: now)
        if changes.contains(.metadata) { control?.show(metadata) }
        if control != nil, tracker.phase == .playing, let start = pendingStart {
            pendingStart = nil
            seek(to: start)
            Task { await holdStart(start) }
        }
        if control != nil { finishIfOver() }
    }

    private func finishIfOver() {
        guard case .finished(let ending) = tracker.phase else { return }
        if let error = MediaDeviceError(ending) { control?.error = error }
        end(MediaDeviceError(ending).map { .failed($0) } ?? .ended)
    }

    private func end(_ outcome: Report?) {
        guard !isOver else { return }
        isOver = true
        if renderer.session === self { renderer.session = nil }
        task?.cancel()
        if let outcome { report(outcome) }
    }
}
